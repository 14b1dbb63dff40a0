"""One small record per format, in the project's own words: every field that matters arrives."""

from __future__ import annotations

import json

import pytest

from kg import sources
from kg.errors import SourceError
from kg.sources.base import Format
from kg.sources.tables import Csv
from tests.sources.conftest import BREAD, ROBOT, split

NOTE2 = {
    "notes": [
        {
            "id": "aB3dE6gH9j",
            "forum": "aB3dE6gH9j",
            "domain": "ICLR.cc/2026/Conference",
            "invitations": ["ICLR.cc/2026/Conference/-/Submission"],
            "content": {
                "title": {"value": "FoldNet: Borders of Clothes"},
                "authors": {"value": ["Ada Lovelace", "Bo Li"]},
                "authorids": {"value": ["~Ada_Lovelace1", "bo@example.org"]},
                "abstract": {"value": ROBOT},
                "keywords": {"value": ["laundry", "robots"]},
                "primary_area": {"value": "applications->robotics"},
                "venue": {"value": "ICLR 2026 Poster"},
                "code": {"value": "https://github.com/ada/fold"},
            },
        },
        {
            "id": "review1",
            "forum": "aB3dE6gH9j",
            "replyto": "aB3dE6gH9j",
            "invitations": ["x"],
            "content": {"review": {"value": "Fine."}},
        },
    ]
}
NOTE1 = [
    {
        "id": "n1",
        "forum": "n1",
        "invitation": "ICLR.cc/2021/Conference/-/Blind_Submission",
        "signatures": [],
        "content": {
            "title": "FoldNet",
            "abstract": ROBOT,
            "authors": ["Ada Lovelace"],
            "authorids": ["~Ada_Lovelace1"],
        },
    }
]
VIRTUAL = {
    "count": 1,
    "results": [
        {
            "id": 7,
            "name": "FoldNet: Borders of Clothes",
            "authors": [
                {
                    "id": 1,
                    "fullname": "Ada Lovelace",
                    "url": "http://icml.cc/api/miniconf/users/1?format=json",
                    "institution": "Oxford",
                }
            ],
            "abstract": ROBOT,
            "topic": "Applications->Robotics",
            "keywords": [],
            "decision": "Accept (poster)",
            "eventtype": "Poster",
            "virtualsite_url": "/virtual/2025/poster/7",
            "paper_url": "https://openreview.net/forum?id=aB3dE6gH9j",
        }
    ],
}
PAPERLIST = [
    {
        "id": "x1",
        "title": "FoldNet",
        "author": "Ada Lovelace;Bo Li",
        "aff": "Oxford;Texas A&M",
        "status": "Poster",
        "site": "https://icml.cc/virtual/2025/poster/7",
        "github": "https://github.com/ada/fold",
        "abstract": ROBOT,
    }
]
ARXIV = {
    "id": "2101.00001",
    "authors": "Ada Lovelace and Bo Li",
    "authors_parsed": [["Lovelace", "Ada", ""], ["Li", "Bo", ""]],
    "title": "FoldNet",
    "abstract": ROBOT,
    "categories": "cs.RO cs.CV",
    "doi": "10.1000/X",
    "comments": "Code at https://github.com/ada/fold.",
    "versions": [{"created": "Mon, 4 Jan 2021 20:31:27 GMT", "version": "v1"}],
    "update_date": "2022-01-01",
}
ATOM = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><title>query</title>
<entry><id>http://arxiv.org/abs/2101.00001v2</id><published>2021-01-04T00:00:00Z</published>
<title>FoldNet: Borders
  of Clothes</title><summary>  {ROBOT}
</summary><author><name>Ada Lovelace</name><arxiv:affiliation>Oxford</arxiv:affiliation></author><author><name>Bo Li</name></author>
<arxiv:doi>10.1000/x</arxiv:doi><category term="cs.RO"/></entry></feed>"""
OAI = f"""<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>
<record><header status="deleted"><identifier>oai:arXiv.org:2101.00009</identifier></header></record>
<record><header><identifier>oai:arXiv.org:2101.00001</identifier></header><metadata>
<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2101.00001</id><created>2021-01-04</created><authors>
<author><keyname>Collaboration</keyname><forenames>Laundry</forenames></author><author><keyname>:</keyname></author>
<author><keyname>Lovelace</keyname><forenames>Ada</forenames></author></authors><title>FoldNet</title>
<categories>cs.RO</categories><abstract>{ROBOT}</abstract></arXiv></metadata></record></ListRecords></OAI-PMH>"""
OPENALEX = {
    "meta": {"count": 1},
    "results": [
        {
            "id": "https://openalex.org/W123",
            "doi": "https://doi.org/10.1000/X",
            "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/99"},
            "display_name": "FoldNet",
            "title": "FoldNet",
            "publication_year": 2024,
            "publication_date": "2024-05-06",
            "primary_location": {
                "landing_page_url": "https://doi.org/10.1000/x",
                "source": {"display_name": "Journal of Clothes"},
            },
            "locations": [{"landing_page_url": "http://arxiv.org/abs/2101.00001"}],
            "authorships": [
                {
                    "author": {
                        "id": "https://openalex.org/A5",
                        "display_name": "Ada Lovelace",
                        "orcid": "https://orcid.org/0000-0001-2345-6789",
                    },
                    "institutions": [{"display_name": "Oxford"}],
                }
            ],
            "topics": [
                {
                    "display_name": "Folding",
                    "subfield": {"display_name": "Robotics"},
                    "field": {"display_name": "Computer Science"},
                    "domain": {"display_name": "Physical Sciences"},
                }
            ],
            "keywords": [{"display_name": "laundry"}],
            "referenced_works": ["https://openalex.org/W9"],
            "abstract_inverted_index": {"Robots": [0, 3], "fold": [1], "what": [2], "wore.": [4]},
        }
    ],
}
S2 = {
    "total": 1,
    "data": [
        {
            "paperId": "a" * 40,
            "externalIds": {
                "ArXiv": "2101.00001",
                "DOI": "10.1000/X",
                "ACL": "2024.acl-long.1",
                "DBLP": "conf/x/L24",
                "CorpusId": 5,
            },
            "title": "FoldNet",
            "abstract": ROBOT,
            "year": 2024,
            "venue": "ICRA",
            "authors": [{"authorId": "77", "name": "Ada Lovelace"}],
            "references": [{"paperId": "b" * 40, "title": "Older"}],
        }
    ],
}
S2_BULK = (
    '{"corpusid": 5, "externalids": {"DOI": "10.1000/X"}, "title": "FoldNet", "authors": [{"authorId": "77", "name": "Ada Lovelace"}], "year": 2024, "venue": "ICRA"}\n{"corpusid": 5, "abstract": '
    + json.dumps(ROBOT)
    + "}"
)
CROSSREF = {
    "status": "ok",
    "message": {
        "total-results": 1,
        "items": [
            {
                "DOI": "10.1000/X",
                "prefix": "10.1000",
                "member": "1",
                "reference-count": 1,
                "indexed": {},
                "type": "journal-article",
                "title": ["FoldNet"],
                "subtitle": ["Borders of Clothes"],
                "container-title": ["Journal of Clothes"],
                "issued": {"date-parts": [[2024, 5, 6]]},
                "author": [
                    {
                        "given": "Ada",
                        "family": "Lovelace",
                        "ORCID": "http://orcid.org/0000-0001-2345-6789",
                        "affiliation": [{"name": "Oxford"}],
                    },
                    {"name": "Laundry Group"},
                ],
                "abstract": "<jats:title>Abstract</jats:title><jats:p>Cloth is <jats:italic>soft</jats:italic> &amp; warm.</jats:p>",
                "reference": [{"DOI": "10.1000/old"}],
            }
        ],
    },
}
CROSSREF_XML = """<crossref_result xmlns="http://www.crossref.org/qrschema/3.0"><query_result><body><query><doi_record><crossref xmlns="http://www.crossref.org/xschema/1.1"><journal><journal_metadata><full_title>Journal of Clothes</full_title></journal_metadata><journal_article><titles><title>FoldNet</title></titles><contributors><person_name contributor_role="author"><given_name>Ada</given_name><surname>Lovelace</surname></person_name><person_name contributor_role="editor"><given_name>E</given_name><surname>Ditor</surname></person_name></contributors><publication_date><month>5</month><day>6</day><year>2024</year></publication_date><doi_data><doi>10.1000/X</doi></doi_data></journal_article></journal></crossref></doi_record></query></body></query_result></crossref_result>"""
CSL = [
    {
        "id": "lovelace2024",
        "type": "article-journal",
        "title": "FoldNet: <i>Borders</i>",
        "DOI": "10.1000/X",
        "container-title": "Journal of Clothes",
        "issued": {"date-parts": [["2024", 5, 6]]},
        "author": [{"family": "Schaar", "given": "Mihaela", "non-dropping-particle": "van der"}],
        "abstract": ROBOT,
    }
]
DBLP = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE dblp SYSTEM "dblp.dtd">
<dblp><www key="homepages/1"><author>Ada</author></www>
<inproceedings key="conf/x/L24"><author orcid="0000-0001-2345-6789">S&oslash;ren Krieger 0001</author><author>Bo Li</author><title>FoldNet.</title><booktitle>ICRA</booktitle><year>2024</year><ee>https://doi.org/10.1000/X</ee></inproceedings>
<proceedings key="conf/x/2024"><title>All of It</title></proceedings></dblp>"""
DBLP_JSON = {
    "result": {
        "hits": {
            "@total": "1",
            "hit": [
                {
                    "@id": "1",
                    "info": {
                        "authors": {"author": {"@pid": "1/2", "text": "Ada Lovelace"}},
                        "title": "Folding &amp; Borders.",
                        "venue": "ICRA",
                        "year": "2024",
                        "key": "conf/x/L24",
                        "doi": "10.1000/X",
                    },
                }
            ],
        }
    }
}
ACL = f"""<collection id="2024.acl"><volume id="long"><meta><booktitle>All Long Papers</booktitle><year>2024</year><venue>acl</venue></meta><frontmatter><url>2024.acl-long.0</url></frontmatter>
<paper id="1"><title><fixed-case>F</fixed-case>old<fixed-case>N</fixed-case>et</title><author><first>Ada</first><last>Lovelace</last></author><abstract>{ROBOT}</abstract><url>2024.acl-long.1</url><doi>10.18653/v1/x</doi><pwccode url="https://github.com/ada/fold">x</pwccode><pwcdataset url="https://example.org/d">Baskets</pwcdataset></paper></volume></collection>"""
PUBMED = """<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle" "https://dtd.nlm.nih.gov/x.dtd"><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>99</PMID><Article><Journal><JournalIssue><PubDate><Year>2024</Year><Month>May</Month><Day>6</Day></PubDate></JournalIssue><ISOAbbreviation>J Clothes</ISOAbbreviation></Journal><ArticleTitle>FoldNet and H<sub>2</sub>O.</ArticleTitle><Abstract><AbstractText Label="METHODS">We fold.</AbstractText><AbstractText Label="RESULTS">It works.</AbstractText></Abstract><AuthorList><Author><LastName>Lovelace</LastName><ForeName>Ada</ForeName><Identifier Source="ORCID">0000-0001-2345-6789</Identifier><AffiliationInfo><Affiliation>Oxford. ada@example.org.</Affiliation></AffiliationInfo></Author><Author><CollectiveName>Laundry Group</CollectiveName></Author></AuthorList></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1000/X</ArticleId></ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>"""
JATS = """<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "x.dtd"><article><front><journal-meta><journal-title>Journal of Clothes</journal-title></journal-meta><article-meta><article-id pub-id-type="doi">10.1000/X</article-id><title-group><article-title>FoldNet</article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Lovelace</surname><given-names>Ada</given-names></name><xref ref-type="aff" rid="a1"/></contrib></contrib-group><aff id="a1"><label>1</label>Oxford</aff><pub-date pub-type="epub"><day>6</day><month>5</month><year>2024</year></pub-date><abstract><sec><title>Aim</title><p>We fold clothes.</p></sec></abstract></article-meta></front><body><sec><p>Text</p></sec></body></article>"""
BIBTEX = r"""@string{icra = "Conference on Robots"}
@comment{nothing}
@inproceedings{lovelace24,
  title = {{FoldNet}: Borders \& {Clothes} at $n^{1.5}$},
  author = {Lovelace, Ada and Zelda Ze\v{c}evi\'c and {Laundry Group} and Rodr\'{\i}guez, \'{A}lvaro and others},
  booktitle = icra # " (ICRA)", year = 2024, month = may, day = 6,
  doi = {10.1000/under\_score}, eprint = {2101.00001}, archiveprefix = {arXiv},
  keywords = {laundry, robots}, abstract = {We fold 5\% more.}, code = {https://github.com/ada/fold}
}
@article{broken, title = {no end
@misc{fine, title="Another One", author="Bo Li", year=2023}
"""
PMLR = """@Proceedings{ICML-2025, booktitle = {Proceedings of the Long Conference}, shortname = {ICML}, year = {2025}}
@InProceedings{a25, title = {FoldNet}, author = {A. Mancisidor, Rogelio}, openreview = {aB3dE6gH9j}, software = {https://github.com/ada/fold}, abstract = {We fold.}}"""
RIS = """Provider: somebody
TY  - JOUR
T1  - FoldNet
A1  - Lovelace, Ada
A1  - Li, Bo, Jr.
PY  - 2024/05/06
JO  - Journal of Clothes
DO  - https://doi.org/10.1000/X
KW  - *laundry
AB  - We fold clothes.
ER  -

TY  - CONF
TI  - Another One
AU  - Young, Cy
Y1  - 2023
ER  -
"""
NBIB = """
PMID- 99
DP  - 2024 May 6
TI  - FoldNet and the borders
      of clothes.
LID - 10.1000/X [doi]
AB  - We fold
      clothes.
FAU - Lovelace, Ada
AU  - Lovelace A
AD  - Oxford. ada@example.org
AUID- ORCID: 0000-0001-2345-6789
FAU - Li, Bo
AU  - Li B
JT  - Journal of Clothes
OT  - laundry

PMID- 100
TI  - Another One
FAU - Young, Cy
DP  - 2023
"""
CSV = '\ufeffTitle;Authors;Abstract;Publication Year;DOI;Author Keywords\r\n"FoldNet; a study";"Lovelace, Ada; Li, Bo";"We fold\r\nclothes.";2024;10.1000/X;laundry; \r\n'.replace(
    "; \r\n", "\r\n"
)
MATTER = "---\ntitle: 'FoldNet: Borders'\nopenreview: aB3dE6gH9j\nabstract: We fold\n  clothes.\nsoftware: https://github.com/ada/fold\nid: lovelace24a\nauthor:\n- given: Ada\n  family: Lovelace\nissued:\n  date-parts:\n  - 2024\n  - 5\n  - 6\ncontainer-title: Long Conference\n---\n"
MARKDOWN = """# Reading list

## Robots
- [FoldNet: Borders of Clothes](https://arxiv.org/abs/2101.00001). Ada Lovelace, Bo Li. ICRA 2024. [[code](https://github.com/ada/fold)]
- **Another Robot Paper** - *Cy Young and Ada Lovelace* [[Paper]](https://openreview.net/forum?id=aB3dE6gH9j)
"""

J = json.dumps
REFERENCES = """References
[1] Ada Lovelace and Bo Li. FoldNet: Borders of Clothes. In ICRA, 2024. https://arxiv.org/abs/2101.00001 [code](https://github.com/ada/fold)
[2] Grace Hopper. Waiting for the Perfect Crust. Journal of Loaves, 2023.
[3] Li, B., & Hopper, G. (2022). Do late trains make later trains? Proceedings of the 3rd Conference on Delays, 1-9.
"""
PIPES = """# Papers

| Title | Authors | Venue | Code |
|:------|---------|:-----:|------|
| [**FoldNet**: Borders \\| Clothes](https://arxiv.org/abs/2101.00001) | Ada Lovelace, Bo Li | ICRA 2024 | [code](https://github.com/ada/fold) |
| Waiting for the Perfect Crust | Grace Hopper | | |

| Year | Visitors |
|------|----------|
| 2024 | 12 |
"""
PAGE = """<!DOCTYPE html>
<html><head><title>Accepted</title><script>var a = "<li>No</li>";</script></head><body>
<nav><a href="/">Home</a></nav><h1>Accepted papers</h1>
<ul><li><a href="/1">FoldNet: Borders &amp; Clothes</a><br><i>Ada Lovelace, Bo Li</i></li>
<li><a href="/2">Waiting for the Perfect Crust</a><br><i>Grace Hopper, S&oslash;ren Hauberg</i></li></ul>
<footer>Impressum</footer></body></html>
"""
CASES = {
    "openreview": ("a.json", J(NOTE2), dict(ids={"openreview:aB3dE6gH9j"}, names=["Ada Lovelace", "Bo Li"], year=2026, venue="ICLR", code=1, topics=(("applications", "robotics"),))),
    "openreview v1": ("a.json", J(NOTE1), dict(ids={"openreview:n1"}, names=["Ada Lovelace"], year=2021, venue="ICLR")),
    "virtual-site": ("a.json", J(VIRTUAL), dict(ids={"openreview:aB3dE6gH9j"}, names=["Ada Lovelace"], year=2025, venue="ICML", topics=(("Applications", "Robotics"),), affiliation="Oxford")),
    "paperlists": ("x.json", J(PAPERLIST), dict(names=["Ada Lovelace", "Bo Li"], year=2025, venue="ICML", code=1, affiliation="Oxford")),
    "arxiv-json": ("a.json", J(ARXIV), dict(ids={"arxiv:2101.00001", "doi:10.1000/x"}, names=["Ada Lovelace", "Bo Li"], year=2021, code=1, topics=(("cs", "cs.RO"), ("cs", "cs.CV")))),
    "arxiv-atom": ("a.xml", ATOM, dict(ids={"arxiv:2101.00001", "doi:10.1000/x"}, title="FoldNet: Borders of Clothes", abstract=ROBOT, names=["Ada Lovelace", "Bo Li"], year=2021, date="2021-01-04", affiliation="Oxford")),
    "arxiv-oai": ("a.xml", OAI, dict(ids={"arxiv:2101.00001"}, names=["Laundry Collaboration", "Ada Lovelace"], year=2021, abstract=ROBOT)),
    "openalex": ("a.json", J(OPENALEX), dict(ids={"openalex:W123", "doi:10.1000/x", "pubmed:99", "arxiv:2101.00001"}, names=["Ada Lovelace"], year=2024, abstract="Robots fold what Robots wore.", cites=("openalex:W9",), author_ids={"openalex:A5", "orcid:0000-0001-2345-6789"}, topics=(("Physical Sciences", "Computer Science", "Robotics", "Folding"),))),
    "semantic-scholar": ("a.json", J(S2), dict(ids={"s2:" + "a" * 40, "s2:CorpusId:5", "arxiv:2101.00001", "doi:10.1000/x", "acl:2024.acl-long.1", "dblp:conf/x/L24"}, names=["Ada Lovelace"], year=2024, cites=("s2:" + "b" * 40,))),
    "semantic-scholar bulk": ("a.jsonl", S2_BULK, dict(count=2, ids={"s2:CorpusId:5", "doi:10.1000/x"}, names=["Ada Lovelace"], year=2024)),
    "crossref": ("a.json", J(CROSSREF), dict(ids={"doi:10.1000/x"}, title="FoldNet: Borders of Clothes", abstract="Cloth is soft & warm.", names=["Ada Lovelace", "Laundry Group"], date="2024-05-06", cites=("doi:10.1000/old",), affiliation="Oxford", author_ids={"orcid:0000-0001-2345-6789"})),
    "crossref-xml": ("a.xml", CROSSREF_XML, dict(ids={"doi:10.1000/x"}, names=["Ada Lovelace"], date="2024-05-06", venue="Journal of Clothes")),
    "csl": ("a.json", J(CSL), dict(ids={"doi:10.1000/x"}, title="FoldNet: Borders", names=["Mihaela van der Schaar"], date="2024-05-06")),
    "dblp-xml": ("a.xml", DBLP, dict(ids={"dblp:conf/x/L24", "doi:10.1000/x"}, title="FoldNet", names=["Søren Krieger 0001", "Bo Li"], year=2024, venue="ICRA")),
    "dblp-json": ("a.json", J(DBLP_JSON), dict(ids={"dblp:conf/x/L24", "doi:10.1000/x"}, title="Folding & Borders", names=["Ada Lovelace"], author_ids={"dblp:1/2"})),
    "acl": ("a.xml", ACL, dict(ids={"acl:2024.acl-long.1", "doi:10.18653/v1/x"}, title="FoldNet", names=["Ada Lovelace"], year=2024, venue="ACL", code=2)),
    "pubmed": ("a.xml", PUBMED, dict(ids={"pubmed:99", "doi:10.1000/x"}, title="FoldNet and H2O.", abstract="METHODS: We fold.\nRESULTS: It works.", names=["Ada Lovelace", "Laundry Group"], date="2024-05-06")),
    "jats": ("a.nxml", JATS, dict(ids={"doi:10.1000/x"}, abstract="Aim\nWe fold clothes.", names=["Ada Lovelace"], date="2024-05-06", affiliation="Oxford")),
    "bibtex": ("a.bib", BIBTEX, dict(count=2, rejected=1, ids={"doi:10.1000/under_score", "arxiv:2101.00001"}, title="FoldNet: Borders & Clothes at $n^{1.5}$", abstract="We fold 5% more.", names=["Ada Lovelace", "Zelda Zečević", "Laundry Group", "Álvaro Rodríguez"], venue="ICRA", date="2024-05-06", code=1)),
    "bibtex of PMLR": ("a.bib", PMLR, dict(ids={"openreview:aB3dE6gH9j"}, names=["Rogelio A. Mancisidor"], venue="ICML", year=2025, code=1)),
    "ris": ("a.ris", RIS, dict(count=2, ids={"doi:10.1000/x"}, names=["Ada Lovelace", "Bo Li Jr."], date="2024-05-06", abstract="We fold clothes.", venue="Journal of Clothes")),
    "nbib": ("a.nbib", NBIB, dict(count=2, ids={"pubmed:99", "doi:10.1000/x"}, title="FoldNet and the borders of clothes.", abstract="We fold clothes.", names=["Ada Lovelace", "Bo Li"], date="2024-05-06", author_ids={"orcid:0000-0001-2345-6789"}, affiliation="Oxford.")),
    "csv": ("a.csv", CSV, dict(ids={"doi:10.1000/x"}, title="FoldNet; a study", abstract="We fold\nclothes.", names=["Lovelace, Ada", "Li, Bo"], year=2024)),
    "front-matter": ("a.md", MATTER, dict(ids={"openreview:aB3dE6gH9j"}, title="FoldNet: Borders", abstract="We fold clothes.", names=["Ada Lovelace"], date="2024-05-06", code=1)),
    "references": ("a.txt", REFERENCES, dict(count=3, ids={"arxiv:2101.00001"}, title="FoldNet: Borders of Clothes", names=["Ada Lovelace", "Bo Li"], year=2024, venue="ICRA", code=1)),
    "markdown-table": ("a.md", PIPES, dict(count=2, ids={"arxiv:2101.00001"}, title="FoldNet: Borders | Clothes", names=["Ada Lovelace", "Bo Li"], year=2024, venue="ICRA", code=1)),
    "html": ("a.html", PAGE, dict(count=2, title="FoldNet: Borders & Clothes", names=["Ada Lovelace", "Bo Li"], form="text")),
    "markdown": ("a.md", MARKDOWN, dict(count=2, ids={"arxiv:2101.00001"}, title="FoldNet: Borders of Clothes", names=["Ada Lovelace", "Bo Li"], year=2024, venue="ICRA", code=1, topics=(("Robots",),))),
}  # fmt: skip


@pytest.mark.parametrize(("case", "name", "content", "want"), [(k, *v) for k, v in CASES.items()], ids=CASES.keys())
def test_every_field_arrives(write, case, name, content, want):
    papers, rejected = split(write(name, content))
    assert len(papers) == want.get("count", 1), rejected
    assert len(rejected) == want.get("rejected", 0), rejected
    paper = papers[0]
    assert paper.origins[0].format == want.get("form", case.split(" ")[0])
    for field in ("title", "abstract", "year", "date", "venue", "topics", "cites"):
        if field in want:
            assert getattr(paper, field) == want[field], field
    if "ids" in want:
        assert set(paper.ids) == want["ids"]
    assert [a.name for a in paper.authors] == want["names"]
    if "affiliation" in want:
        assert want["affiliation"] in paper.authors[0].affiliations
    assert set(paper.authors[0].ids) >= want.get("author_ids", set())
    assert len(paper.links) == want.get("code", 0)
    assert "@" not in repr(paper)
    assert paper.origins[0].place


@pytest.mark.parametrize("suffix", [".txt", ".dat", ""])
def test_detection_looks_at_the_content(write, suffix):
    for case, (_, content, want) in CASES.items():
        papers, _ = split(write("list" + suffix, content))
        assert papers[0].origins[0].format == want.get("form", case.split(" ")[0]), case


def test_every_built_in_format_has_a_case_here_and_meets_the_protocol():
    covered = {c.split(" ")[0] for c in CASES} | {"xlsx", "parquet", "json", "text", "titles"}
    assert set(sources.FORMATS) == covered
    assert all(isinstance(form, Format) and form.key == key for key, form in sources.FORMATS.items())


def test_excel(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["Notes"])
    sheet = book.create_sheet("papers")
    sheet.append(["Title", "Authors", "Year", "Abstract"])
    sheet.append(["FoldNet", "Ada Lovelace; Bo Li", 2024, ROBOT])
    sheet.append([None, None, None, None])
    sheet.append(["Crust", "Cy Young", 2023.0, BREAD])
    book.save(tmp_path / "a.xlsx")
    papers, rejected = split(tmp_path / "a.xlsx")
    assert [(p.title, p.year, len(p.authors)) for p in papers] == [("FoldNet", 2024, 2), ("Crust", 2023, 1)]
    assert papers[1].origins[0].place == "sheet papers, row 4" and not rejected


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [
        {"title": "FoldNet", "abstract": ROBOT, "authors": ["Ada Lovelace", "Bo Li"], "year": 2024, "vector": [0.1] * 8}
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
    papers, _ = split(tmp_path / "a.parquet")
    assert papers[0].title == "FoldNet" and [a.name for a in papers[0].authors] == ["Ada Lovelace", "Bo Li"]


def test_columns_can_be_given(write):
    from kg.sources.part import Part

    path = write("a.csv", "Headline,Text\nFoldNet," + ROBOT.replace(",", " ") + "\n")
    reader = Csv({"title": "Headline", "abstract": "Text"})
    with path.open("rb") as file:
        assert [p.title for p in reader.read(Part("a.csv", file))] == ["FoldNet"]
    with path.open("rb") as file, pytest.raises(SourceError, match="no column"):
        list(Csv({"title": "Nowhere"}).read(Part("a.csv", file)))


def test_a_csv_row_with_too_many_cells_is_rejected_alone(write):
    papers, rejected = split(write("a.csv", "title,abstract,year\nOne,Text,2020\nTwo,Te,xt,2021\nThree,Text,2022\n"))
    assert [p.title for p in papers] == ["One", "Three"] and rejected[0].place == "line 3"


XML_RECORD = "<entry><id>http://arxiv.org/abs/2101.0000{0}</id><title>Entry {0}</title></entry>\n"
FEED = (
    '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
    + "".join(map(XML_RECORD.format, range(1, 8)))
    + "</feed>"
)


@pytest.mark.parametrize(
    "content",
    [
        FEED.replace("Entry 4</title>", "Entry 4</titel>"),
        FEED.replace("Entry 4", "Entry & 4"),
        FEED.replace("Entry 4</title></entry>", "Entry 4</title>"),
        FEED.replace("Entry 4", "Entry &nowhere; 4"),
        FEED.encode().replace(b"Entry 4", b"Entr\xff 4"),
        FEED.replace("\n<entry>", "<entry>").replace("Entry 4", "Entry & 4"),
    ],
    ids=["tag", "ampersand", "unclosed", "entity", "utf-8", "one-line"],
)
def test_broken_xml_costs_one_record(write, content):
    papers, rejected = split(write("a.xml", content))
    assert [p.title for p in papers] == [f"Entry {i}" for i in (1, 2, 3, 5, 6, 7)]
    assert len(rejected) == 1 and "XML" in rejected[0].reason


def test_xml_that_defines_entities_is_refused(write):
    bomb = '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + FEED.split("\n", 1)[1]
    outside = bomb.replace('"x"', 'SYSTEM "file:///etc/passwd"')
    for content in (bomb, outside):
        with pytest.raises(SourceError, match="entities"):
            split(write("a.xml", content))


def test_a_document_type_elsewhere_is_not_fetched_and_html_entities_are_known(write):
    content = FEED.replace("<feed", '<!DOCTYPE feed SYSTEM "http://localhost:9/x.dtd">\n<feed', 1).replace(
        "Entry 1", "Caf&eacute;"
    )
    papers, rejected = split(write("a.xml", content))
    assert papers[0].title == "Café" and len(papers) == 7 and not rejected


def test_third_parties_add_formats_through_an_entry_point(write, monkeypatch):
    from kg.model import Origin, Paper
    from kg.sources import table

    class Shopping:
        key, title, suffixes = "shopping", "shopping list", (".shop",)

        def sniff(self, part):
            return 1.0 if part.head.startswith(b"SHOP") else 0.0

        def read(self, part):
            for number, line in enumerate(part.lines(), 1):
                if number > 1:
                    yield Paper(title=line, origins=(Origin(file=part.name, place=f"line {number}", format=self.key),))

    class Entry:
        name = "shopping"

        def load(self):
            return Shopping

    monkeypatch.setattr(table.FORMATS, "_others", {"shopping": Entry()})
    monkeypatch.setattr(table.FORMATS, "_loaded", {})
    papers, _ = split(write("a.shop", "SHOP\nBread and Butter"))
    assert papers[0].title == "Bread and Butter" and "shopping" in sources.supported()
