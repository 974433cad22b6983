"""Weeks and months in a chat's own time zone: a period is a function of time, never a reset (F110, F114)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from enum import IntEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class Period(IntEnum):
    """What a top five looks at; the number is its code in payloads."""

    WEEK = 0
    MONTH = 1
    ALL_TIME = 2


def zone(name: str) -> tzinfo:
    """The time zone of that name; UTC for one that this release does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def began(period: Period, zone_name: str, now: datetime) -> datetime | None:
    """
    When the period under way began, in UTC; None for all time.

    Weeks begin on Monday 00:00, months on the first, both by the wall clock of the zone: where that hour is skipped
    or comes twice, by its first instant that exists.
    """
    local = now.astimezone(zone(zone_name))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if period is Period.WEEK:
        return _instant(midnight - timedelta(days=local.weekday()))
    if period is Period.MONTH:
        return _instant(midnight.replace(day=1))
    return None


def ends(period: Period, zone_name: str, now: datetime) -> datetime | None:
    """When the period under way ends, in UTC; None for all time."""
    local = now.astimezone(zone(zone_name))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if period is Period.WEEK:
        return _instant(midnight + timedelta(days=7 - local.weekday()))
    if period is Period.MONTH:
        return _instant((midnight.replace(day=1) + timedelta(days=32)).replace(day=1))
    return None


def _instant(wall: datetime) -> datetime:
    """The wall-clock time as an instant in UTC; arithmetic on the wall clock has to settle its offset anew."""
    return wall.replace(fold=0).astimezone(UTC)
