"""How surprising a count is."""

from __future__ import annotations

import math


def upper_tail(chi_square: float, freedom: int) -> float:
    """Probability of a larger chi-square (Wilson and Hilferty): two digits from three degrees on, three from fifty."""
    spread = 2 / (9 * freedom)
    z = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)) / 2
