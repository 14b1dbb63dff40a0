"""Who is who: author mentions to persons, with the evidence for every join."""

from kg.resolve.people.records import Decision, Explanation, People, Person, Rejection
from kg.resolve.people.resolve import resolve_people

__all__ = ["Decision", "Explanation", "People", "Person", "Rejection", "resolve_people"]
