"""The real sample files: which format reads each, how many papers and rejected records it gives."""

from __future__ import annotations

import pytest

from tests.sources.conftest import split

SAMPLES = [
    ("acl/2022.acl.sample.xml", "acl", 3, 0),
    ("arxiv/arxiv_api_atom.xml", "arxiv-atom", 1, 0),
    ("arxiv/arxiv_oai_pmh.xml", "arxiv-oai", 3, 0),
    ("arxiv/atom_60.reconstructed.xml", "arxiv-atom", 60, 0),
    ("arxiv/kaggle_metadata.reconstructed.jsonl", "arxiv-json", 61, 0),
    ("bibtex/scopus_bib.bib", "bibtex", 11, 0),
    ("bibtex/dedupe_records.bib", "bibtex", 21, 0),
    ("bibtex/bib_data.bib", "bibtex", 5, 0),
    ("bibtex/ebsco_bib.bib", "bibtex", 1, 1),  # the second entry has a brace too many
    ("bibtex/web_of_science_bib.bib", "bibtex", 2, 0),
    ("crossref/crossref-list.json", "crossref", 20, 0),
    ("crossref/crossref.xml", "crossref-xml", 1, 0),
    ("crossref/journals_works_0.json", "crossref", 20, 0),
    ("csl/csl-list.json", "csl", 17, 0),
    ("csv/sample_probabilistic_methods.csv", "csv", 116, 0),
    ("csv/xlsx_data.xlsx", "xlsx", 3, 0),
    ("dblp/dblp_search_publ.json", "dblp-json", 1, 0),
    ("openalex/get_random_id_from_openalex_1.json", "openalex", 5, 0),
    ("openreview/notes_v2.reconstructed.json", "openreview", 60, 0),
    ("paperlists/generic.jsonl", "json", 4, 0),
    ("paperlists/uai2024.json", "paperlists", 201, 0),
    ("pmlr/2025-10-06-abella25a.md", "front-matter", 1, 0),
    ("pmlr/icml25_cleaned.sample.bib", "bibtex", 5, 0),
    ("pubmed/eric_nbib.nbib", "nbib", 1, 0),
    ("pubmed/pone.0000217.nxml", "jats", 1, 0),
    ("pubmed/pubmed21n1298_first60.xml", "pubmed", 60, 0),
    ("ris/jstor_ris.ris", "ris", 4, 0),
    ("ris/ris_data.ris", "ris", 2, 0),
    ("semanticscholar/Paper_trimmed.json", "semantic-scholar", 1, 0),
    ("semanticscholar/get_papers_0.json", "", 0, 3),  # records of authors only
    ("semanticscholar/search_paper_0.json", "semantic-scholar", 100, 0),
    ("virtualsite/ieeevis_2025.json", "json", 309, 0),
    ("virtualsite/neurips2025_virtual_sample.json", "virtual-site", 7, 0),
]


@pytest.mark.parametrize(("name", "form", "count", "bad"), SAMPLES, ids=[s[0] for s in SAMPLES])
def test_sample(shared, name, form, count, bad):
    papers, rejected = split(shared / "data/formats" / name)
    assert (len(papers), len(rejected)) == (count, bad), rejected[:3]
    assert {p.origins[0].format for p in papers} <= {form}
    assert not any("@" in repr((a.name, a.affiliations, a.ids)) for p in papers for a in p.authors)


def test_corpus_lists(shared):
    papers, rejected = split(shared / "data/corpus/iclr2026.jsonl.gz")
    assert len(papers) == 4302 and not rejected
    assert all(p.ids[0].startswith("openreview:") and p.venue == "ICLR" and p.year == 2026 for p in papers)
    papers, rejected = split(shared / "data/corpus/icml2025_titles_authors.json")
    assert len(papers) == 3340 and not rejected
    assert all(p.venue == "ICML" and p.year == 2025 for p in papers)
