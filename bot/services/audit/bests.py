"""Everybody's best nights, as they are kept for lists: they follow from the nights, for all people or for none."""

from __future__ import annotations

from bot.periods import Period, began
from bot.services.audit.findings import Findings, unless, wrong
from bot.services.audit.rounds import readable
from bot.storage.inspection import Inspection
from bot.storage.instants import EPOCH, from_ms, to_ms


def bests(look: Inspection) -> Findings:
    """Each span is a week, a month or all time by the chat's clock, and holds each person's best night, all of them."""
    for span in look.bests():
        chat, since, zone = span["chat_id"], span["since"], span["time_zone"]
        first = readable(lambda _, at=since: from_ms(at), "")  # type: ignore[misc]
        begins = () if first is None else {to_ms(began(period, zone, first) or EPOCH) for period in Period}
        place = f"{chat}/{since}"
        yield from unless(since in begins, "bests", place, "since", "when a week or a month begins, or 0", since)
        for row in look.not_best(chat, since):
            right = "this person's best night since then"
            yield wrong("bests", f"{place}/{row['user_id']}", "night_id", right, row["night_id"])
        for user in look.without_best(chat, since):
            yield wrong("bests", f"{place}/{user}", "", "a row for everybody with a night since then", "none")
