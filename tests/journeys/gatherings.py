"""What people do together in a storm: clubs at their tables, contests with those who enter them, the daily five."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Final, Protocol

from bot.playground import World
from bot.playground.people import ClientError, People
from bot.playground.records import Message

_CLUB = 5  # people at a table
_CONTESTS: Final = (
    "/contest 1h 5 hands best of 2", "/contest 3h 10 deals", "/contest 1d 10 deals matchpoints", "/contest",
)  # fmt: skip
_WORDS: Final = ("/table", "/table", "/table leave", "/table close")
_DOOR: Final = "start=e"
# What people do at each stage, and how often; the stage is told by a key that only it has.
_WISHES: Final[Mapping[str, Mapping[str, float]]] = {
    "qj": {"qc": 3, "qj": 6, "qf": 2, "qi": 1},
    "qy": {"qa": 5, "qt": 0.5, "qx": 0.3, "qr": 4, "qy": 5},
    "qb": {"qb": 6, "qp": 0.5, "qh": 2},
    "qh": {"qh": 1},
    "qn": {"qr": 5, "qn": 3, "qz": 0.3, "ql": 0.2},
    "qs": {"qs": 4, "qo": 5, "ql": 0.2, "qe": 0.2},
}


class Stage(Protocol):
    """What a storm gives them to act with."""

    world: World

    @property
    def people(self) -> People: ...

    def with_keys(self, at: int) -> list[Message]: ...

    def tap(self, who: int, message: Message, payload: str) -> None: ...

    def says(self, who: int, at: int, text: str) -> None: ...

    def tap_own(self, who: int, at: int) -> None: ...


class Gatherings:
    """The same people meet in the same groups all evening."""

    def __init__(self, storm: Stage, clubs: Mapping[int, list[int]], chance: Random) -> None:
        self._storm = storm
        self._chance = chance
        self._clubs = dict(clubs)  # by group, its members; its creator first

    def moved(self, old: int, new: int) -> None:
        if old in self._clubs:
            self._clubs[new] = self._clubs.pop(old)

    def meet(self) -> None:
        """Between two moods of the weather something happens in each club."""
        self.play()
        for group, members in self._clubs.items():
            with suppress(ClientError):
                self._contest(group, members)
            with suppress(ClientError):
                self._daily(group, members)

    # Tables

    def play(self) -> None:
        """At the tables alone."""
        for group, members in self._clubs.items():
            with suppress(ClientError):
                self._table(group, members[:_CLUB])

    def _table(self, group: int, sitters: list[int]) -> None:
        table = self._last(group, "1:q")
        if table is None or self._chance.random() < 0.05:
            words = "/table" if table is None else self._chance.choice(_WORDS)
            self._storm.says(self._chance.choice(sitters), group, words)
            return
        if self._chance.random() < 0.05:
            self._storm.people.dice(self._chance.choice(sitters), group, reply_to=table.message_id)
        for who in self._chance.sample(sitters, len(sitters)):
            for _ in range(self._chance.choice((0, 1, 1, 2, 2, 3))):
                self._storm.tap(who, table, self._wish(table))

    def _wish(self, table: Message) -> str:
        """One of the keys, as likely as people want it at this stage."""
        by_verb: dict[str, list[str]] = {}
        for payload in _payloads(table):
            by_verb.setdefault(payload.split(":")[1], []).append(payload)
        wishes: Mapping[str, float] = next((_WISHES[verb] for verb in _WISHES if verb in by_verb), {})
        able = {verb: weight for verb, weight in wishes.items() if verb in by_verb}
        if not able or self._chance.random() < 0.05:
            able = dict.fromkeys(by_verb, 1.0)
        [verb] = self._chance.choices([*able], [*able.values()])
        return self._chance.choice(by_verb[verb])

    # Contests and days, played in private

    def _contest(self, group: int, members: list[int]) -> None:
        luck, creator = self._chance.random(), members[0]
        maker = self._last(group, "1:ks:")
        if maker is not None and luck < 0.6:
            starts = [each for each in _payloads(maker) if each.startswith("1:ks:")]
            self._storm.tap(creator, maker, starts[0])
            return
        if luck < 0.03:
            self._storm.says(creator, group, self._chance.choice(("/contest end", "/contest cancel")))
        elif luck < 0.12:
            self._storm.says(self._chance.choice(members), group, "/contest")
        elif luck < 0.2 and (asked := self._last(group, "1:kc:")) is not None:
            self._storm.tap(creator, asked, self._chance.choice(_payloads(asked)))
        door = self._door(group)
        if door is None:
            if luck > 0.7:
                self._storm.says(creator, group, self._chance.choice(_CONTESTS))
            return
        who = self._chance.choice(members)
        if luck > 0.7:
            self._storm.people.start(who, door)
        else:
            self._plays(who)

    def _daily(self, group: int, members: list[int]) -> None:
        who, luck = self._chance.choice(members), self._chance.random()
        if luck < 0.08:
            self._storm.says(who, group, "/daily")
        elif luck < 0.25:
            self._storm.says(who, who, "/daily")
        elif luck < 0.45 and (page := self._last(who, "1:kd:")) is not None:
            today = [each for each in _payloads(page) if each.startswith("1:kd:")]
            self._storm.tap(who, page, today[0])
        else:
            self._plays(who)

    def _plays(self, who: int) -> None:
        for _ in range(3):
            self._storm.tap_own(who, who)

    def _door(self, group: int) -> str | None:
        """The link of the group's contest or day."""
        for message in reversed(self._storm.with_keys(group)):
            for row in message.keyboard or ():
                for key in row:
                    if _DOOR in key.get("url", ""):
                        return str(key["url"].partition("start=")[2])
        return None

    def _last(self, at: int, payload: str) -> Message | None:
        """The last message with such a key."""
        found = (each for each in reversed(self._storm.with_keys(at)) if any(payload in p for p in _payloads(each)))
        return next(found, None)


def _payloads(message: Message) -> list[str]:
    return [str(key["callback_data"]) for row in message.keyboard or () for key in row if "callback_data" in key]
