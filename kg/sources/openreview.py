"""OpenReview notes, API version 2 (`content.*.value`) and 1 (`content.*`)."""

from __future__ import annotations

import re
from typing import Any

from kg.model import Paper
from kg.sources import fields
from kg.sources.base import JsonFormat

_DOMAIN = re.compile(r"^([\w-]+)\.(?:cc|org|com|net)/(\d{4})/")
_OPEN = re.compile(
    r"(?i)^(?:submitted to|withdrawn|desk reject|rejected|under review|.*\b(?:conference )?(?:withdrawn )?submission)"
)


class OpenReview(JsonFormat):
    """Submissions; reviews, comments and decisions among the notes are no papers and are passed over."""

    key = "openreview"
    title = "OpenReview notes (API 2 and 1)"
    lists = ("notes",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        inner = record.get("content")
        note = record.keys() & {"forum", "invitation", "invitations", "signatures"}
        return 0.95 if note and isinstance(inner, (dict, type(None))) and "content" in record else 0.0

    def papers(self, record: Any) -> Paper | None:
        content = {k: v["value"] if isinstance(v, dict) and "value" in v else v for k, v in record["content"].items()}
        if record.get("replyto") and record.get("replyto") != record.get("id"):
            return None
        own = fields.text(record.get("forum") or record.get("id"))
        venue, year, event = fields.venue(content.get("venue"))
        home = _DOMAIN.match(fields.text(record.get("domain") or content.get("venueid") or record.get("invitation")))
        if _OPEN.match(fields.text(content.get("venue"))):
            venue, event = "", fields.text(content.get("venue"))
        elif home and not venue:
            venue = home[1]
        return Paper(
            key=own,
            ids=(f"openreview:{own}",) + fields.arxiv(content.get("arxiv")) if own else (),
            title=fields.text(content.get("title")),
            abstract=fields.text(content.get("abstract")),
            authors=fields.authors(content.get("authors"), content.get("authorids")),
            year=year or (int(home[2]) if home else None),
            venue=venue,
            event=event,
            topics=fields.topics(content.get("primary_area") or content.get("subject_areas")),
            keywords=fields.strings(content.get("keywords")),
            links=fields.links([v for k in _CODE if isinstance(v := content.get(k), str)], "code")
            + fields.links([v for k in _PAGE if isinstance(v := content.get(k), str)], "project-page"),
            url=f"https://openreview.net/forum?id={own}" if own else "",
        )


_CODE = ("code", "code_link", "github", "software", "repository", "code_of_paper")
_PAGE = ("project_page", "project", "website")

FORMAT = OpenReview()
