"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

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
