"""Weeks and months by the group's wall clock (F110, F114)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.periods import Period, began, ends


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "period, zone, now, first, last",
    [
        pytest.param(
            Period.WEEK, "UTC", "2026-11-30 00:00", "2026-11-30 00:00", "2026-12-07 00:00", id="Monday's first instant"
        ),
        pytest.param(
            Period.WEEK, "UTC", "2026-11-29 23:59", "2026-11-23 00:00", "2026-11-30 00:00", id="Sunday's last minute"
        ),
        pytest.param(
            Period.WEEK, "Europe/Kyiv", "2026-11-29 22:30", "2026-11-29 22:00", "2026-12-06 22:00", id="Kyiv is ahead"
        ),
        pytest.param(
            Period.WEEK,
            "Europe/Berlin",
            "2026-03-29 12:00",
            "2026-03-22 23:00",
            "2026-03-29 22:00",
            id="to summer time",
        ),
        pytest.param(
            Period.WEEK,
            "Europe/Berlin",
            "2026-10-25 12:00",
            "2026-10-18 22:00",
            "2026-10-25 23:00",
            id="to winter time",
        ),
        pytest.param(
            Period.MONTH, "Asia/Tehran", "2026-11-30 20:00", "2026-10-31 20:30", "2026-11-30 20:30", id="half an hour"
        ),
        pytest.param(
            Period.MONTH, "America/Sao_Paulo", "2026-12-31 23:00", "2026-12-01 03:00", "2027-01-01 03:00", id="December"
        ),
        pytest.param(
            Period.WEEK, "America/Havana", "2026-03-09 12:00", "2026-03-09 04:00", "2026-03-16 04:00", id="after a skip"
        ),
        pytest.param(
            Period.MONTH, "No/Where", "2026-02-15 12:00", "2026-02-01 00:00", "2026-03-01 00:00", id="unknown: UTC"
        ),
    ],
)
def test_a_period_is_a_function_of_time(period: Period, zone: str, now: str, first: str, last: str) -> None:
    assert (began(period, zone, at(now)), ends(period, zone, at(now))) == (at(first), at(last))


def test_all_time_has_no_ends() -> None:
    assert began(Period.ALL_TIME, "UTC", at("2026-01-01 00:00")) is None
    assert ends(Period.ALL_TIME, "UTC", at("2026-01-01 00:00")) is None
