"""Instants are stored as whole milliseconds since 1970 in UTC; the rooms speak aware datetimes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def to_ms(when: datetime) -> int:
    """Milliseconds, rounded down. Raises TypeError for a naive datetime."""
    return (when - EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """The aware datetime in UTC. Raises OverflowError for one that no calendar holds."""
    return EPOCH + timedelta(milliseconds=ms)


def to_ms_or_none(when: datetime | None) -> int | None:
    """As to_ms(), where there may be no instant."""
    return None if when is None else to_ms(when)


def from_ms_or_none(ms: int | None) -> datetime | None:
    """As from_ms(), where there may be no instant."""
    return None if ms is None else from_ms(ms)
