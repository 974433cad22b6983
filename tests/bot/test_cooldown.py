"""One picture per person and half a minute: in memory, bounded, on a turned clock."""

from __future__ import annotations

from datetime import timedelta

from bot.handlers.cooldown import _MOST, Cooldown
from tests.clock import NOON


def later(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


def test_once_in_thirty_seconds_and_per_person() -> None:
    pictures = Cooldown(30)

    assert pictures.begin(1, NOON) == 0
    assert pictures.begin(1, NOON + later(12)) == 18
    assert pictures.begin(2, NOON + later(12)) == 0
    assert pictures.begin(1, NOON + later(30)) == 0


def test_asking_too_soon_does_not_make_the_wait_longer() -> None:
    pictures = Cooldown(30)
    pictures.begin(1, NOON)

    for second in range(1, 30):
        assert pictures.begin(1, NOON + later(second)) == 30 - second
    assert pictures.begin(1, NOON + later(30)) == 0


def test_a_clock_that_is_set_back_keeps_nobody_waiting() -> None:
    pictures = Cooldown(30)
    pictures.begin(1, NOON)

    assert pictures.begin(1, NOON - later(3600)) == 0


def test_what_is_remembered_has_an_end() -> None:
    pictures = Cooldown(30)
    for user_id in range(3 * _MOST):
        pictures.begin(user_id, NOON)

    assert len(pictures._free) <= _MOST
    assert pictures.begin(3 * _MOST - 1, NOON) == 30


def test_those_who_may_ask_again_are_forgotten() -> None:
    pictures = Cooldown(30)
    for user_id in range(100):
        pictures.begin(user_id, NOON)

    pictures.begin(1000, NOON + later(31))

    assert len(pictures._free) == 1
