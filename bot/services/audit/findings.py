"""What an audit says: the place, what is right there, and what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_LONGEST = 200  # characters of a value in a finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    table: str
    id: int | str  # the row's key; empty for the table as a whole
    column: str
    right: str
    found: str

    def __str__(self) -> str:
        place = " ".join(part for part in (self.table, str(self.id), self.column) if part)
        return f"{place}: right is {self.right}; found {self.found}"


Findings: TypeAlias = Iterator[Finding]


def wrong(table: str, id_: int | str, column: str, right: str, found: object) -> Finding:
    """A finding; what stands there is told in a few words, whatever it is."""
    return Finding(table=table, id=id_, column=column, right=right, found=shown(found))


def differs(table: str, id_: int | str, column: str, right: object, found: object) -> Findings:
    """A finding unless the two are equal."""
    if right != found:
        yield wrong(table, id_, column, shown(right), found)


def unless(  # noqa: PLR0917 - said in the order in which it is read
    holds: object, table: str, id_: int | str, column: str, right: str, found: object
) -> Findings:
    """A finding unless something holds."""
    if not holds:
        yield wrong(table, id_, column, right, found)


def shown(value: object) -> str:
    """A value as a finding tells it: bytes in hex, and the long ones cut."""
    text = "nothing" if value is None else value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
