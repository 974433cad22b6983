"""A storm: many people in many chats, a Telegram that fails, a process that dies; afterwards everything must be true."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from telegram.error import TelegramError

from bot.playground import World, serve
from bot.playground.people import ClientError
from bot.playground.records import Message
from tests.journeys.gatherings import Gatherings
from tests.journeys.house import Json
from tests.journeys.shared import Shared

_PATIENCE: Final = 0.25  # seconds of real time that a silent Telegram is waited for
_LOOKED_AT: Final = 25  # messages that somebody still has on the screen
_SILENT: Final = ("timeout_before", "timeout_after", "disconnect")
_FAULTS: Final = ("429", "500", "502", "garbage", *_SILENT)
_METHODS: Final = (
    "sendMessage", "editMessageText", "editMessageReplyMarkup", "answerCallbackQuery", "getChatMember",
    "setMessageReaction", "sendDocument", "sendPhoto", "*",
)  # fmt: skip
_WORDS: Final = ("play", "fold", "deal", "clear", "repeat", "hint", "J", "x", "good evening", "Deal!")
_COMMANDS: Final = (
    "/deal", "/deal 25", "/deal 10 5", "/deal ٢٥", "/deal 1e9", "/deal -5", "/start", "/cashout", "/top", "/stats",
    "/fair", "/fair lucky socks", "/rules", '/rules {"buy_in": 300}', "/settings", "/hands", "/hint", "/help",
    "/verify 1", "/verify 7", '/verify {"v":1}', "/privacy", "/mydata", "/forget", "/settings zone Europe/Kyiv",
)  # fmt: skip
_RARE: Final = ("/break 1h", "/settings blacklist 1h")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much happens."""

    groups: int = 24
    people: int = 200
    acts: int = 2_400
    clubs: int = 3  # groups with a table, contests, and the daily five


@dataclass(slots=True)
class Storm(Shared):
    """An evening that is thrown about by chance; the same seed throws the same way."""

    seed: int = 64
    size: Size = field(default_factory=Size)
    chance_: Random = field(init=False, repr=False)
    groups: list[int] = field(default_factory=list)
    guests: list[int] = field(default_factory=list)
    regulars: list[int] = field(default_factory=list)
    homes: dict[int, list[int]] = field(default_factory=dict)  # person: chats
    gatherings: Gatherings = field(init=False, repr=False)
    payloads: deque[tuple[int, int, str]] = field(default_factory=lambda: deque(maxlen=400))  # seen on keys

    # Beginning

    async def begin(self) -> None:
        self.chance_ = Random(self.seed)
        self.world = World(now=self.clock.seconds, sleep=self.clock.sleep, seed=self.seed)
        self.world.log = deque()
        self.running = await serve(self.world)
        secrets = Random(self.seed + 1)
        self.chance = lambda: secrets.randbytes(32)  # type: ignore[assignment]
        await self._build()
        self._hurry()
        self._furnish()

    def _hurry(self) -> None:
        requests: tuple[Any, ...] = self.house.application.bot.request, self.house.source._request
        for request in requests:
            request._read = _PATIENCE

    async def _batch(self) -> list[Json]:
        """Ask without waiting: what seems to wait may have grown too old meanwhile."""
        source = self.house.source
        return await source._request.updates(source._base_url, offset=self._offset, seconds=0, kinds=source._kinds)

    def _furnish(self) -> None:
        people = self.people
        for number in range(self.size.people):
            language = self.chance_.choice(("en", "en", "pt-br", "ru", "ar", ""))
            self.guests.append(people.add_person(first_name=f"P{number:03}x", language_code=language))
        for number in range(self.size.groups):
            kind = "group" if number % 6 == 5 else "supergroup"
            members = self.chance_.sample(self.guests, 20)
            forum = number % 8 == 3
            group = people.group(members[0], title=f"Group {number}", type=kind, members=members[1:], is_forum=forum)
            if forum:
                people.topic(members[0], group, "create", name="Cards")
            self.groups.append(group)
            for who in members:
                self.homes.setdefault(who, []).append(group)
        for who in self.guests:
            self.homes.setdefault(who, []).append(who)
        self.regulars = self.guests[: max(10, self.size.people // 5)]
        clubs = self.chance_.sample(self.groups, min(self.size.clubs, len(self.groups)))
        self.gatherings = Gatherings(
            self, {group: [*self.world.chats[group].members][:8] for group in clubs}, self.chance_
        )

    # Acts

    async def rages(self) -> None:
        """So many acts, in bursts; between two bursts the weather changes."""
        done = 0
        while done < self.size.acts:
            burst = self.chance_.randint(1, 40)
            for _ in range(burst):
                with suppress(ClientError):
                    self._act()
            self.gatherings.meet()
            done += burst
            self.tally["acts"] += burst
            await self._weather()

    def _act(self) -> None:
        if self.chance_.random() < 0.75:
            who = self.chance_.choice(self.regulars)
            at = self.homes[who][0]
        else:
            who = self.chance_.choice(self.guests)
            at = self.chance_.choice(self.homes[who])
        luck = self.chance_.random()
        if luck < 0.60:
            self.tap_own(who, at)
        elif luck < 0.66:
            self._tap_anything(who, at)
        elif luck < 0.72:
            self._tap_old(who)
        elif luck < 0.78:
            self.says(who, at, self.chance_.choice(_WORDS), reply=True)
        elif luck < 0.97:
            self.says(who, at, self.chance_.choice(("/deal", "/deal 25", *_COMMANDS)))
        elif luck < 0.98:
            self.says(who, at, self.chance_.choice(_RARE))
        else:
            self._misfortune(who, at)

    def says(self, who: int, at: int, text: str, *, reply: bool = False) -> None:
        chat = self.world.chats[at]
        board = self._own(who, at) if reply else None
        thread = next(iter(chat.topics), None) if chat.is_forum and self.chance_.random() < 0.7 else None
        self.people.send(who, at, text, reply_to=board.message_id if board else None, thread=thread)
        self.tally["words"] += 1

    def tap_own(self, who: int, at: int) -> None:
        board = self._own(who, at)
        if board is None:
            self.says(who, at, self.chance_.choice(("/deal", "/deal 25 5", "/start")))
            return
        keys = [key for row in board.keyboard or () for key in row]
        link = next((key["url"] for key in keys if "start=s" in key.get("url", "")), None)
        if link and self.chance_.random() < 0.5:
            self.people.start(who, link.partition("start=")[2])
            self.tally["doors"] += 1
            return
        able = [key for key in keys if "callback_data" in key]
        plays = [key for key in able if key["callback_data"].startswith(("1:D:", "1:P:", "1:F:"))]
        key = self.chance_.choice(plays if plays and self.chance_.random() < 0.6 else able)
        for _ in range(self.chance_.choice((1, 1, 1, 1, 2, 3))):
            self.tap(who, board, key["callback_data"])

    def _tap_anything(self, who: int, at: int) -> None:
        boards = self.with_keys(at)
        if boards:
            board = self.chance_.choice(boards)
            keys = [key["callback_data"] for row in board.keyboard or () for key in row if "callback_data" in key]
            self.tap(who, board, self.chance_.choice(keys))

    def _tap_old(self, who: int) -> None:
        """A payload of some time ago, from where it stood or by a hand-made client from anywhere."""
        if not self.payloads:
            return
        chat, number, payload = self.chance_.choice(self.payloads)
        if self.chance_.random() < 0.4:
            chat = self.chance_.choice(self.homes[who])
            number = max(1, self.world.chats[chat].last_message_id - self.chance_.randint(0, 5))
        self._ask(who, chat, number, payload)

    def tap(self, who: int, message: Message, payload: str) -> None:
        self.payloads.append((message.chat_id, message.message_id, payload))
        self._ask(who, message.chat_id, message.message_id, payload)

    def _ask(self, who: int, chat: int, number: int, payload: str) -> None:
        self.people.tap(who, chat, number, payload=payload)
        self.tally["taps"] += 1

    def _misfortune(self, who: int, at: int) -> None:
        people, chat = self.people, self.world.chats[at]
        first = next(iter(chat.members), who)
        match self.chance_.randrange(6):
            case 0 if chat.type == "private":
                people.block(who)
            case 1 if chat.type == "private":
                people.unblock(who)
            case 2:
                board = self._own(who, at)
                if board is not None and chat.type == "private":
                    people.delete_message(who, at, board.message_id)
            case 3 if chat.type != "private":
                inside = self.world.bot_member(chat).status not in {"left", "kicked"}
                people.kick_bot(first, at) if inside else people.add_bot(first, at)
            case 4 if chat.type == "group" and chat.migrated_to is None:
                self._moves(first, at)
            case _:
                return
        self.tally["misfortunes"] += 1

    def _moves(self, first: int, old: int) -> None:
        new = self.people.migrate(first, old)
        self.groups = [new if each == old else each for each in self.groups]
        self.gatherings.moved(old, new)
        for homes in self.homes.values():
            homes[:] = [new if each == old else each for each in homes]

    def _own(self, who: int, at: int) -> Message | None:
        name = self.world.people[who].first_name
        own = [each for each in self.with_keys(at) if at == who or name in (each.text or "").partition("\n")[0]]
        return own[-1] if own else None

    def with_keys(self, at: int) -> list[Message]:
        """The bot's latest messages there that can be tapped."""
        kept, found = self.world.messages.get(at, {}), []
        last = self.world.chats[at].last_message_id
        for number in range(max(1, last - _LOOKED_AT), last + 1):
            each = kept.get(number)
            if (
                each is not None
                and not each.deleted
                and any("callback_data" in k for row in each.keyboard or () for k in row)
            ):
                found.append(each)
        return found

    # Weather

    async def _weather(self) -> None:
        luck = self.chance_.random
        if luck() < 0.5:
            self._fault()
        if luck() < 0.2:
            self.tally["repeated"] += self.people.repeat(self.chance_.randint(1, 20))
        if luck() < 0.2:
            self.people.reorder(self.chance_.randrange(10**6))
            self.tally["reordered"] += 1
        if luck() < 0.1:
            self.world.limited = not self.world.limited
        await self.hear()
        if luck() < 0.6:
            await self.clock.advance(self.chance_.choice((0.5, 1, 3, 3, 20, 70)))
            await self.calls_end()
            await self.rings()
        if luck() < 0.3:
            await self.rests()
        if luck() < 0.08:
            await self.dies()
        if luck() < 0.03:
            await self.clock.advance(self.chance_.choice((3_600, 86_400)))
            await self.rings()

    def _fault(self) -> None:
        kind = self.chance_.choice(_FAULTS)
        method = self.chance_.choice(_METHODS)
        times = self.chance_.randint(1, 4 if kind in _SILENT else 12)
        self.faults(method=method, kind=kind, times=times, retry_after=self.chance_.randint(1, 30))
        self.tally["faults"] += times

    async def hear(self) -> None:
        """Take what waits, through whatever the network does to that."""
        while True:
            try:
                await Shared.hear(self)
            except TelegramError:
                continue
            return

    async def rings(self) -> None:
        """Every timer that is due."""
        if self.chance_.random() < 0.1:  # and sometimes the process does not live to see it done
            await self.house.jobs.look()
            await self.dies()
        await self.rings_out()

    async def dies(self, *, heard: bool = True) -> None:
        """The process is gone between two awaits; a new one begins, with what was not acknowledged."""
        for query in self.world.queries.values():
            if not query.answered:
                self.excused.add(query.id)
        self.tally["restarts"] += 1
        self.world.faults.clear()
        await self.stop()
        self.deaths.append(len(self.world.log or ()))
        self._offset = None
        await self._build()
        self._hurry()
        await self.turning(self.house.jobs.repaint())
        await self.turning(self.wakes())
        if heard:
            await self.hear()

    # Its end

    async def calms(self) -> None:
        """The sky clears: everybody is back, everything is delivered, and one more process paints what is left over."""
        self.world.faults.clear()
        self.world.limited = False
        for chat in [*self.world.chats.values()]:
            if chat.type == "private" and chat.id in self.world.people:
                self.people.unblock(chat.id)
            elif chat.type != "private" and self.world.bot_member(chat).status in {"left", "kicked"}:
                self.people.add_bot(next(iter(chat.members)), chat.id)
        await self.hear()
        await self.rests()
        await self.dies()
        for _ in range(4):  # leases end, and what is painted calmly is painted
            await self.clock.advance(61)
            await self.rings_out()
            await self.rests()
        await self.acknowledges()

    async def rings_out(self) -> None:
        """Every timer that is due, in peace."""
        await self.house.jobs.look()
        await self.turning(self.house.jobs.rest())
