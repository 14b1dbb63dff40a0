from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile

import pytest

from kg import sources
from kg.errors import SourceError
from tests.sources.conftest import BREAD, ROBOT, TRAIN, split

RECORDS = [
    {"id": str(i), "title": f"The long way home, part {i}", "abstract": TRAIN, "authors": ["Ada L", "Bo Q"]}
    for i in range(300)
]
LINES = "\n".join(map(json.dumps, RECORDS)).encode()


def compressed(kind: str, data: bytes) -> bytes:
    if kind == "zst":
        return pytest.importorskip("zstandard").compress(data)
    return {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[kind](data)


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
def test_compressed(write, kind):
    path = write(f"a.jsonl.{kind}", compressed(kind, LINES))
    eaten: list[int] = []
    papers, rejected = split(path, on_bytes=eaten.append)
    assert len(papers) == 300 and not rejected
    assert papers[0].origins[0].file == "a.jsonl"
    assert sum(eaten) == path.stat().st_size == sources.total_bytes([path])


def test_several_gzip_members(write):
    half = LINES.index(b"\n", len(LINES) // 2) + 1
    papers, _ = split(write("a.gz", gzip.compress(LINES[:half]) + gzip.compress(LINES[half:])))
    assert len(papers) == 300


def test_truncated_gzip_keeps_what_stands_before_the_end(write):
    noise = "".join(json.dumps({**r, "salt": os.urandom(200).hex()}) + "\n" for r in RECORDS).encode()
    data = gzip.compress(noise)
    papers, rejected = split(write("a.jsonl.gz", data[: len(data) // 2]))
    assert 120 <= len(papers) < 160
    assert [p.origins[0].source_id for p in papers] == [str(i) for i in range(len(papers))]
    assert "cut off" in rejected[-1].reason and rejected[-1].place.startswith("after line")


def test_truncated_text_list_rejects_only_the_cut_abstract(write):
    salt = os.urandom(3000).hex()
    data = gzip.compress("\n\n".join([ROBOT, BREAD, TRAIN + salt]).encode())
    papers, rejected = split(write("a.txt.gz", data[: len(data) * 2 // 3]))
    assert [p.abstract for p in papers] == [ROBOT, BREAD]
    assert [r.reason for r in rejected][0] == "the data end inside it"


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("a.json", b"", "empty"),
        ("a.txt", b"\n \n\n", "empty"),
        ("a.dat", bytes(range(256)) * 40, "binary"),
        ("a.json", bytes(range(256)) * 40, "binary"),
        ("a.c", b"int main(void) { return 0; }\n", "no list of papers"),
        ("a.json", b'{"a": 1}', "no list of papers"),
        ("a.json", b"[1, 2, 3]", "no list of papers"),
    ],
)
def test_what_is_no_list_is_refused_with_place_cause_and_remedy(write, name, content, cause):
    with pytest.raises(SourceError) as told:
        split(write(name, content))
    assert cause in told.value.message and told.value.place == name and told.value.hint


def test_the_refusal_lists_what_is_supported(write):
    with pytest.raises(SourceError) as told:
        split(write("a.c", "int main(void) { return 0; }\n"))
    assert all(key in told.value.message for key in sources.FORMATS)


def test_a_missing_file_is_told_at_once_with_a_near_name(write):
    write("papers.jsonl", LINES)
    with pytest.raises(SourceError) as told:
        sources.read([write("x", "x").parent / "paper.jsonl"])
    assert "papers.jsonl" in told.value.hint


def test_an_unknown_format_is_told_at_once(write):
    with pytest.raises(SourceError, match="no format"):
        sources.read([write("a.txt", ROBOT)], format="nonsense")


def test_a_given_format_wins_over_detection(write):
    papers, _ = split(write("a.json", json.dumps(RECORDS[:2])), format="json")
    assert {p.origins[0].format for p in papers} == {"json"}


def test_a_wrong_suffix_does_not_matter(write):
    papers, _ = split(write("a.bib", json.dumps(RECORDS[:2])))
    assert len(papers) == 2


def test_a_folder_skips_what_it_cannot_read(write):
    write("in/b.txt", f"{ROBOT}\n\n{BREAD}")
    write("in/a.jsonl", LINES)
    write("in/logo.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    folder = write("in/.hidden", "x").parent
    papers, rejected = split(folder)
    assert len(papers) == 302 and papers[0].origins[0].file == "a.jsonl"
    assert [r.file for r in rejected] == ["logo.png"]


def test_standard_input(write):
    code = "from kg import sources; print(len(list(sources.read(['-']))))"
    found = subprocess.run([sys.executable, "-c", code], input=gzip.compress(LINES), capture_output=True, check=True)
    assert found.stdout.strip() == b"300"


def test_zip_archive(write, tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/list.txt", f"{ROBOT}\n\n{BREAD}")
        archive.writestr("in/more.jsonl.gz", gzip.compress(LINES))
        archive.writestr("../../outside.txt", TRAIN)
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("bomb.txt", b"0" * 80_000_000)
    before = sorted(os.listdir(tmp_path.parent))
    papers, rejected = split(path)
    assert len(papers) == 303
    reasons = {r.file: r.reason for r in rejected}
    assert "link" in reasons["link.txt"] and "refused" in reasons["bomb.txt"]
    assert sorted(os.listdir(tmp_path.parent)) == before  # nothing was unpacked


def test_tar_archive_and_its_links(tmp_path):
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        data = f"{ROBOT}\n\n{BREAD}".encode()
        info = tarfile.TarInfo("list.txt")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    papers, rejected = split(path)
    assert len(papers) == 2 and "link" in rejected[0].reason


def test_a_damaged_archive_is_told(write):
    _, rejected = split(write("a.zip", b"PK\x03\x04" + bytes(500)))
    assert "damaged" in rejected[0].reason


def test_a_gzip_bomb_is_stopped(write):
    data = gzip.compress(json.dumps(RECORDS[0]).encode() + b"\n" + b" " * 200_000_000)
    papers, rejected = split(write("a.jsonl.gz", data))
    assert len(papers) == 1 and "refused" in rejected[-1].reason


def test_importing_loads_no_heavy_library():
    code = "import sys, kg.sources; print([m for m in ('lxml', 'pyarrow', 'openpyxl', 'bibtexparser', 'rispy', 'ftfy', 'spacy', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
