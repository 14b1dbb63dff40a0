"""The same paper seen in several sources becomes one, field by field, with its origins.

    linked = link(papers)

Pairs are decided record against record (`evidence`, `variants`, `untitled`), never cluster against
cluster, so the result does not depend on the order of the input; `merge` then makes one paper of a group.
"""

from __future__ import annotations

from kg.records.disagreement import Disagreement
from kg.records.link import Linked, Pair, link

__all__ = ["Disagreement", "Linked", "Pair", "link"]
