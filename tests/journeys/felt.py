"""The group table in a journey: who sits there, readable verbs for a whole hand, and a search for cards that leak."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.tables import GroupTable
from core import fair
from core.cards import PACK, Card, Deck, parse_cards
from core.rules import RuleSet
from core.table import Deciding, Offered, Showdown, Table, phase
from tests.journeys.house import FRIENDS, Evening, Seen, Somebody, Toast

_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_SHOWN = re.compile("(10|[2-9JQKA])([♠♥♦♣])")


def stacked(*hands: str) -> Deck:
    """A pack that gives these hands first."""
    first = parse_cards(" ".join(hands))
    return (*first, *(card for card in PACK if card not in first))


@contextmanager
def cards(*hands: str) -> Iterator[None]:
    """Whatever is dealt meanwhile is dealt from a pack with these hands on top."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fair, "shuffled", lambda *_: stacked(*hands))
        yield


def cards_in(text: str) -> set[str]:
    """The cards that a text shows, as machines spell them."""
    return {("T" if rank == "10" else rank) + _SUITS[suit] for rank, suit in _SHOWN.findall(text)}


@dataclass(slots=True)
class Felt:
    """One group's table."""

    evening: Evening
    chat: int = FRIENDS
    people: dict[int, Somebody] = field(default_factory=dict)  # by Telegram's id

    # Looking

    @property
    def seen(self) -> Seen:
        messages = [seen for seen in self.evening.bot_messages(self.chat) if seen.first.startswith("Table")]
        assert messages, self.evening.bot_messages(self.chat)
        return messages[-1]

    async def place(self) -> GroupTable:
        found = await self.evening.house.store.read(lambda tx: tx.tables.live(self.chat))
        assert found is not None
        return found

    async def table(self) -> Table:
        return (await self.place()).table

    async def phase(self) -> str:
        return phase(await self.table())

    async def person(self, seat_id: int) -> Somebody:
        seat = await self.evening.house.store.read(lambda tx: tx.seats.get(seat_id))
        assert seat is not None
        return self.people[seat.user_id]

    async def seat_of(self, who: Somebody) -> int:
        return (await self.evening.seat(who, self.chat)).id

    async def chips(self, who: Somebody) -> int:
        return (await self.evening.seat(who, self.chat)).chips

    async def sitting(self) -> list[Somebody]:
        return [await self.person(seat.user) for seat in (await self.table()).seats]

    # Acting

    async def taps(self, who: Somebody, label: str, *, rest: bool = True) -> Toast:
        return await who.taps(label, on=self.seen, rest=rest)

    async def sits(self, *people: Somebody) -> None:
        for who in people:
            self.people[who.id] = who
            await who.says("/table", self.chat)

    async def starts(self, *people: Somebody, bank: int | None = None) -> None:
        """These people sit down and begin; with *bank* the first of them puts it up."""
        await self.sits(*people)
        await self.taps(people[0], "Start")
        if bank is not None:
            await self.banks(people[0], bank)

    async def banks(self, who: Somebody, chips: int) -> Toast:
        """Put up any bank: the payload of a key, with another amount."""
        fields = self.seen.payload("Bank").split(":")
        return await who.sends(":".join([*fields[:-1], _base36(chips)]), self.seen)

    async def bets(self, who: Somebody, ante: int, pair_plus: int = 0, *, ready: bool = True) -> Toast:
        for spot, chips in ((0, ante), (1, pair_plus)):
            for chip in _chips(chips):
                await self.adds(who, spot, chip)
        return await self.taps(who, "Ready") if ready else Toast("")

    async def adds(self, who: Somebody, spot: int, chip: int, *, rest: bool = True) -> Toast:
        fields = self.seen.payload("Ante +").split(":")
        return await who.sends(":".join([*fields[:-2], _base36(spot), _base36(chip)]), self.seen, rest=rest)

    async def plays(self, who: Somebody) -> Toast:
        await self.taps(who, "My cards")
        return await self.taps(who, "Play")

    async def folds(self, who: Somebody) -> Toast:
        await self.taps(who, "My cards")
        return await self.taps(who, "Fold")

    async def rules(self, rules: RuleSet, **options: str) -> None:
        """The admins have chosen another table."""

        def choose(tx: Any) -> None:
            chat = tx.chats.seen(self.chat, kind="supergroup", title="Poker Friends", now=self.evening.clock.now())
            tx.chats.put(replace(chat, rules=rules, options={**chat.options, **options}))

        await self.evening.house.store.run(choose)

    # Whole hands

    async def offered(self) -> Somebody:
        stage = (await self.table()).stage
        assert isinstance(stage, Offered)
        return await self.person(stage.user)

    async def players(self) -> list[Somebody]:
        """Those in the hand that is dealt, in action order."""
        stage = (await self.table()).stage
        assert isinstance(stage, Deciding | Showdown)
        return [await self.person(player.user) for player in stage.players]

    # Leaks

    async def nothing_leaks(self) -> None:
        """
        While a hand is in play: of all that went out since the deal only its owner's answers show a card, and only
        their own; no secret and no card stands in the log.
        """
        place = await self.place()
        stage = place.table.stage
        assert isinstance(stage, Deciding)
        own = {(await self.person(player.user)).id: set(map(str, player.hand)) for player in stage.players}
        round_ = await self.evening.house.store.read(lambda tx: tx.tables.round(place.round_id))
        assert round_ is not None
        for call in self.evening.world.log or ():
            everything = f"{call['params']}"
            assert round_.secret.hex() not in everything
            shown = cards_in(everything)
            if f"hand {place.table.hand - 1} · " in everything and "showdown" in everything:
                continue  # a late picture of the last hand, which is over
            if call["method"] == "answerCallbackQuery":
                asker = self.evening.world.queries[call["params"]["callback_query_id"]].person
                assert shown <= own.get(asker, set())
            else:
                assert not shown, everything
        written = f"{self.evening.log}"
        assert round_.secret.hex() not in written
        assert not cards_in(written)
        assert not _in_machine_words(written, (card for player in stage.players for card in player.hand))


def _in_machine_words(text: str, hidden: Iterable[Card]) -> set[str]:
    return {str(card) for card in hidden if re.search(rf"\b{card}\b", text)}


def _chips(amount: int) -> list[int]:
    chips = []
    for chip in (100, 25, 5):
        chips += [chip] * (amount // chip)
        amount %= chip
    return chips


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
