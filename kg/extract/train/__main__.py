"""`python -m kg.extract.train --data ../shared/data`: trains the model that `kg.extract` ships.

Steps, each with its figures on standard output: word statistics of the corpus; a teacher without name
identity, fitted on the annotated papers; its reading of the corpus (name priors, silver labels); the
final classifiers; thresholds and calibration by cross-validation; scores on the parts kept out.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def main(argv: list[str] | None = None) -> int:
    """Command line of the training."""
    parser = argparse.ArgumentParser(prog="python -m kg.extract.train", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with gold/ and corpus/")
    parser.add_argument("--out", type=Path, help="model file to write (default: the one the package ships)")
    parser.add_argument("--work", type=Path, help="folder for intermediate results; a second run goes on from them")
    parser.add_argument("--processes", type=int, default=2, help="processes for passes over the corpus")
    parser.add_argument(
        "--corpus-limit", type=int, default=80_000, help="papers of the corpus to use; 0 for all (default: 80000)"
    )
    parser.add_argument("--silver", type=int, default=16_000, help="corpus papers whose labels train the regression")
    args = parser.parse_args(argv)
    # One thread a process: passes over the corpus run in processes, and small fits only wait for each other.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from kg.extract.train.run import train

    train(args.data, args.out, Steps(args.work), args.processes, args.corpus_limit, args.silver)
    return 0


class Steps:
    """Runs steps, tells how long each took, and keeps their results in a folder if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, name: str, compute: Callable[[], Any]) -> Any:
        """The result of a step, computed or read back."""
        kept = self.folder / f"{name}.pickle" if self.folder else None
        if kept and kept.exists():
            return pickle.loads(kept.read_bytes())
        start = time.perf_counter()
        result = compute()
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
        if kept:
            kept.write_bytes(pickle.dumps(result))
        return result


if __name__ == "__main__":
    sys.exit(main())
