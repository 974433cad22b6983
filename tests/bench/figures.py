"""A figure, its goal, and the table at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table; a goal is a bound for *value*."""

    bench: str
    what: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        if self.at_least is not None:
            return self.value >= self.at_least
        return None if self.at_most is None else self.value <= self.at_most

    @property
    def goal(self) -> str:
        if self.met is None:
            return ""
        bound = f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"
        return f"{bound}: {'met' if self.met else 'MISSED'}"

    def plain(self) -> dict[str, object]:
        """For JSON."""
        bounds = {"at_least": self.at_least, "at_most": self.at_most, "met": self.met}
        return {"bench": self.bench, "what": self.what, "value": self.value, "unit": self.unit} | {
            name: bound for name, bound in bounds.items() if bound is not None
        }


def table(figures: Sequence[Figure]) -> str:
    """One line a figure."""
    width = max((len(figure.what) for figure in figures), default=0)
    lines, bench = [], ""
    for figure in figures:
        if figure.bench != bench:
            bench = figure.bench
            lines.append(f"\n{bench}")
        lines.append(f"  {figure.what:<{width}}  {_short(figure.value):>9} {figure.unit:<9} {figure.goal}".rstrip())
    return "\n".join(lines)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
