"""The tagged text of PubMed, MEDLINE and ERIC (`.nbib`, `.medline`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from kg.model import Author, Paper, Rejected
from kg.sources import fields
from kg.sources.base import located, reject
from kg.sources.part import Part

_TAG = re.compile(r"^([A-Z][A-Z0-9]{1,3})\s{0,2}- ?(.*)$")
_MONTHS = {
    m: i for i, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}


class Nbib:
    """Records separated by blank lines; a line that begins with blanks goes on with the tag above."""

    key = "nbib"
    title = "PubMed/MEDLINE text (nbib)"
    suffixes = (".nbib", ".medline")

    def sniff(self, part: Part) -> float:
        lines = [line for line in part.text.splitlines() if line.strip()][:40]
        tags = {m[1] for line in lines if (m := _TAG.match(line))}
        return 0.95 if tags & {"PMID", "OWN"} and tags & {"TI", "AU", "JT", "DP"} and "TY" not in tags else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        record: dict[str, list[str]] = defaultdict(list)
        first, tag = 0, ""
        for number, line in enumerate(part.lines(), 1):
            found = _TAG.match(line)
            if not line.strip() or found and found[1] in ("PMID", "OWN") and found[1] in record:
                if record:
                    yield self._record(record, first, part)
                    record, tag = defaultdict(list), ""
                if not found:
                    continue
            if found:
                tag, first = found[1], first if record else number
                if tag in ("AD", "AUID") and record["FAU"] + record["AU"]:  # belongs to the author above
                    record[f"{tag}:{len(record['FAU'] or record['AU']) - 1}"].append(found[2])
                else:
                    record[tag].append(found[2])
            elif tag and line[:1].isspace():
                values = record[tag] or next(v for k, v in reversed(record.items()) if k.startswith(tag))
                values[-1] += " " + line.strip()
        if record:
            if part.damage:
                yield reject(part, f"line {first}", "the data end inside it", " ".join(record.get("TI", [])))
            else:
                yield self._record(record, first, part)

    def _record(self, record: dict[str, list[str]], first: int, part: Part) -> Paper | Rejected:
        def get(*names: str) -> str:
            return next((v for n in names for v in record.get(n, ()) if v.strip()), "")

        pmid = get("PMID")
        dois = [d for v in record.get("AID", []) + record.get("LID", []) + record.get("SO", []) for d in fields.doi(v)]
        printed = record.get("FAU") or record.get("AU") or []
        people = [
            Author(
                name=fields.natural(name),
                affiliations=tuple(p for v in record.get(f"AD:{i}", ()) for p in fields.institutions(v)),
                ids=tuple(o for v in record.get(f"AUID:{i}", ()) for o in fields.orcid(v)),
            )
            for i, name in enumerate(printed)
        ]
        people += [Author(name=n) for n in record.get("CN", ())]
        links = [u for v in record.get("LID", []) + record.get("AID", []) if (u := v).startswith("http")]
        paper = Paper(
            key=pmid or get("OID"),
            ids=((f"pubmed:{pmid}",) if pmid.isdigit() else ()) + tuple(dict.fromkeys(dois)),
            title=get("TI", "BTI"),
            abstract=get("AB"),
            authors=fields.once(people),
            year=fields.year(get("DP")),
            date=_date(get("DP")),
            venue=get("TA", "JT"),
            topics=tuple((t.split("/")[0].lstrip("*"),) for t in dict.fromkeys(record.get("MH", ()))),
            keywords=tuple(dict.fromkeys(k.strip().lstrip("*") for k in record.get("OT", ()))),
            url=next(
                (u for u in links if "doi.org" not in u), f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else ""
            ),
        )
        return located(paper, part, f"line {first}", self)


def _date(value: str) -> str:
    found = re.match(r"(\d{4}) ([A-Z][a-z]{2})[a-z]* (\d{1,2})$", value.strip())
    return f"{found[1]}-{_MONTHS.get(found[2].lower(), 1):02}-{int(found[3]):02}" if found else ""


FORMAT = Nbib()
