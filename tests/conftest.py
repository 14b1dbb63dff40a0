"""Fixtures shared by all tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real sample data beside the project; the test is skipped where it is absent."""
    for base in (ROOT.parent, ROOT.parent.parent):
        folder = base / "shared"
        if (folder / "data" / "seeds").is_dir():
            return folder
    pytest.skip("needs ../shared (real sample data), which is not beside this checkout")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """Playwright, started once: a second one in the same process is refused. Skipped where it is missing."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs Playwright (pip install playwright)")
    with sync_api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Any) -> Iterator[Any]:
    """Headless Chromium that finds no address but this machine's; skipped where it or Playwright is missing."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("needs Chromium (on Debian: apt-get install chromium)")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
             "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]  # fmt: skip
    running = playwright.chromium.launch(executable_path=chromium, args=flags)
    yield running
    running.close()
