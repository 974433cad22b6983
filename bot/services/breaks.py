"""A break of one's own: no bets until then, in any chat, and no way to end it early."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.facts import Person, Who
from bot.refusals import OnBreak
from bot.storage import Tx

LONGEST = timedelta(days=365)
_MINUTE = timedelta(minutes=1)


def may_bet(person: Person | None, *, now: datetime) -> None:
    """
    Whether a person, if ever seen, may bet now, anywhere; a hand that is dealt already is not asked about.

    :raises OnBreak: Until the end that the person has chosen.
    """
    until = _under_way(person, now)
    if until is not None:
        raise OnBreak(until)


def current(tx: Tx, who: Who, *, now: datetime) -> datetime | None:
    """The end of the break that is under way; none without one."""
    return _under_way(tx.people.get(who.user_id), now)


def take(tx: Tx, who: Who, lasting: timedelta, *, now: datetime) -> datetime:
    """A break of *lasting*, to the next full minute; a second one can only lengthen the first. When it ends."""
    person = tx.people.seen(who.user_id, name=who.name, app_language=who.app_language, now=now)
    until = (now + min(lasting, LONGEST) + _MINUTE).replace(second=0, microsecond=0)
    if person.break_until is not None and person.break_until >= until:
        return person.break_until
    tx.people.put(replace(person, break_until=until))
    return until


def _under_way(person: Person | None, now: datetime) -> datetime | None:
    until = person.break_until if person is not None else None
    return until if until is not None and until > now else None
