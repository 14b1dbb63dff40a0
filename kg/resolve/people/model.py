"""The probability that two mentions of one name are one person: a logistic additive model.

Each feature adds the height of a piecewise linear curve, a few pairs of features add a product. That
is all, so millions of pairs cost seconds, and each feature's share of a verdict can be told.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np

from kg.resolve.people.evidence import COLUMN, FEATURES

_BOUND = 6.0  # a product of standardised features is held within this
CEILING = 0.995  # no pair is surer than this without an identifier


class Curve(msgspec.Struct, frozen=True):
    """Heights (log-odds) at knots of one feature, straight lines between; flat outside."""

    knots: tuple[float, ...]
    heights: tuple[float, ...]


class Product(msgspec.Struct, frozen=True):
    """Weight (log-odds) of the product of two standardised features."""

    one: str
    other: str
    weight: float


class PairModel(msgspec.Struct, frozen=True):
    """Curves by feature, products, and what standardises features for products.

    Attributes:
        bias: log-odds of a pair whose curves are all at zero.
        cut: average probability that joins two clusters.
        usual: what each feature adds to the log-odds of an average pair, the zero for explanations.
    """

    bias: float
    cut: float
    curves: dict[str, Curve]
    products: tuple[Product, ...]
    mean: dict[str, float]
    scale: dict[str, float]
    usual: dict[str, float] = {}

    def log_odds(self, features: np.ndarray) -> np.ndarray:
        """Log-odds of each row of `Evidence.features`."""
        total = np.full(len(features), self.bias)
        for name, curve in self.curves.items():
            total += np.interp(features[:, COLUMN[name]], curve.knots, curve.heights)
        for product in self.products:
            total += product.weight * self._standard(features, product)
        return total

    def probability(self, features: np.ndarray, shift: np.ndarray | float = 0.0) -> np.ndarray:
        """Probability of each row; `shift` is added to the log-odds first."""
        return np.minimum(1 / (1 + np.exp(-(self.log_odds(features) + shift))), CEILING)

    def shares(self, features: np.ndarray) -> dict[str, np.ndarray]:
        """What each feature adds to the log-odds of each row beyond what it adds to an average pair; a
        product is shared by its features."""
        found = {
            name: np.interp(features[:, COLUMN[name]], curve.knots, curve.heights) - self.usual.get(name, 0.0)
            for name, curve in self.curves.items()
        }
        for product in self.products:
            half = product.weight * self._standard(features, product) / 2
            found[product.one] = found[product.one] + half
            found[product.other] = found[product.other] + half
        return found

    def _standard(self, features: np.ndarray, product: Product) -> np.ndarray:
        value = np.ones(len(features))
        for name in (product.one, product.other):
            value *= (features[:, COLUMN[name]] - self.mean[name]) / self.scale[name]
        return np.clip(value, -_BOUND, _BOUND)

    def save(self, path: Path) -> None:
        """Writes the model as JSON."""
        document = msgspec.json.format(msgspec.json.encode(self), indent=1)
        path.write_bytes(document + b"\n")


@cache
def pair_model() -> PairModel:
    """The model that comes with the package."""
    text = files(__package__).joinpath("data/pair_model.json").read_bytes()
    model = msgspec.json.decode(text, type=PairModel)
    if set(model.curves) != set(FEATURES):
        raise ValueError("pair_model.json was trained on other features; run kg.resolve.people.train")
    return model
