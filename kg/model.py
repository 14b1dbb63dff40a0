"""The records that flow through the package: plain, immutable, cheap to send between processes.

Sources make `Paper` and `Rejected`; records turn papers of several sources into one; extraction makes
an `Extraction` for each paper; `resolve` makes entities. Nothing here knows a file format or RDF.
None can refer back to itself, so the collector of cycles need not look at them (`gc=False`): there are millions.
Offsets are code points, half-open, into `Paper.title` or `Paper.abstract` exactly as stored.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Field = Literal["title", "abstract"]
RepositoryKind = Literal["code", "data", "model", "project-page", "other"]


class Origin(Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a record was read.

    Attributes:
        file: base name of the input file (or archive member); never a path of the user's machine.
        place: position in it, for people ("line 12", "record 3").
        format: key of the source format that read it.
        source_id: the record's id as it stands in the source; may be empty.
        fields: names of the paper's fields this origin supplied.
    """

    file: str = ""
    place: str = ""
    format: str = ""
    source_id: str = ""
    fields: tuple[str, ...] = ()


class Author(Struct, frozen=True, omit_defaults=True, gc=False):
    """One author as printed on one paper.

    Attributes:
        name: the name as the source prints it (outer blanks stripped).
        affiliations: as printed, in order.
        ids: identifiers the source gives, as CURIEs: "openreview:~Ada_Lovelace1", "orcid:0000-…",
            "openalex:A…", "s2:…", "dblp:…". Never an e-mail address.
    """

    name: str
    affiliations: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class Link(Struct, frozen=True, omit_defaults=True, gc=False):
    """A URL the source states for the paper (code, data, project page), as printed."""

    url: str
    kind: str = ""


class Paper(Struct, frozen=True, omit_defaults=True, gc=False):
    """One paper: as one source gives it, or (after `records`) as all sources together give it.

    Attributes:
        key: the paper's own key, the last part of its IRI ("openreview-abc"); "" before `records`.
        ids: global identifiers as CURIEs, sorted: "openreview:abc", "doi:10.1/x", "arxiv:2101.00001",
            "openalex:W1", "s2:…", "acl:…", "dblp:…", "pubmed:…".
        title, abstract: the exact source text; "" when the source has none.
        authors: in printed order.
        year: publication year; `date`: ISO date when known in full.
        venue: short venue name without the year ("ICLR"); `event`: as printed when it says more
            ("ICLR 2026 Oral").
        topics: paths from broad to narrow, (("Applications", "Time Series"), …).
        keywords: as printed, each one.
        links: code, data and project links that the source states.
        url: landing page.
        cites: CURIEs of cited papers, where the source gives them.
        origins: the source records this paper was made of.
        affiliations: institutions the source names for the paper without saying whose they are.
    """

    key: str = ""
    ids: tuple[str, ...] = ()
    title: str = ""
    abstract: str = ""
    authors: tuple[Author, ...] = ()
    year: int | None = None
    date: str = ""
    venue: str = ""
    event: str = ""
    topics: tuple[tuple[str, ...], ...] = ()
    keywords: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    url: str = ""
    cites: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    affiliations: tuple[str, ...] = ()


class Rejected(Struct, frozen=True, omit_defaults=True, gc=False):
    """A record that could not be read.

    Attributes:
        file: base name of the input; place: line or record in it.
        reason: why, for people. head: the first 200 characters of the record.
    """

    file: str
    place: str
    reason: str
    head: str = ""


class Mention(Struct, frozen=True, omit_defaults=True, gc=False):
    """One place in the text where a name stands; `text` equals that slice of the field."""

    field: Field
    start: int
    end: int
    text: str


class Named(Struct, frozen=True, omit_defaults=True, gc=False):
    """A named method or data set that one paper speaks of.

    Attributes:
        name: the shortest usual form, verbatim; aliases: other verbatim forms, long form included.
        role: "proposed"/"used" for methods, "introduced"/"used" for data sets, "addressed" for tasks.
        confidence: probability (0..1) that name and role are right.
        cue: what decided, for people ("title prefix", "we propose", "data set word before").
        mentions: every place, in text order (title first); the deciding one is `mentions[evidence]`.
    """

    name: str
    role: str
    confidence: float
    aliases: tuple[str, ...] = ()
    cue: str = ""
    mentions: tuple[Mention, ...] = ()
    evidence: int = 0


class Repository(Struct, frozen=True, omit_defaults=True, gc=False):
    """A link to code, data, a model or a project page.

    Attributes:
        url: canonical form. as_printed: as it stands in the text or source (punctuation trimmed).
        kind: see `RepositoryKind`. own: True when the text presents it as this paper's own.
        stated_by: "abstract", "source" or "both".
        mentions: places in the text; empty when only the source states the link.
    """

    url: str
    as_printed: str
    kind: RepositoryKind = "code"
    own: bool = True
    stated_by: str = "abstract"
    confidence: float = 1.0
    cue: str = ""
    mentions: tuple[Mention, ...] = ()


class Extraction(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything extraction found in one paper. A pure function of title, abstract and settings."""

    methods: tuple[Named, ...] = ()
    datasets: tuple[Named, ...] = ()
    repositories: tuple[Repository, ...] = ()
    tasks: tuple[Named, ...] = ()
