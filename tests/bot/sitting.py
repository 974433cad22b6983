"""A person who plays through the services on a real store: taps keys of the boards, types words, remembers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from bot.facts import Seat, SoloBoard, Tap, Verb, Who
from bot.services import solo, solo_hand, solo_pages
from bot.services.solo_hand import Advised
from bot.storage import Store, Tx
from bot.views import solo as views
from bot.views.kit import Key
from core.rules import RuleSet
from tests.bot.databases import NOW, somebody
from tests.bot.scenes import page

_BETS = {Verb.CHIP, Verb.ADD, Verb.TAKE, Verb.HALF, Verb.DOUBLE, Verb.MAX, Verb.CLEAR, Verb.REPEAT}
_PAGES = {Verb.CHANGE_BET, Verb.CASH_OUT, Verb.KEEP, Verb.HANDS, Verb.BACK, Verb.PROOF}
_serial = count(1)


def secret() -> bytes:
    return hashlib.sha256(str(next(_serial)).encode()).digest()


@dataclass
class Player:
    """One person in one chat; the newest board is kept, messages are numbered as if a painter had sent them."""

    store: Store
    user_id: int = 1
    chat_id: int = -100
    kind: str = "supergroup"
    now: datetime = NOW
    board: SoloBoard | None = None
    messages: count[int] = field(default_factory=lambda: count(100))
    updates: count[int] = field(default_factory=lambda: count(1))

    @property
    def who(self) -> Who:
        """The person, with a new message."""
        return self.at(next(self.messages))

    @property
    def seen(self) -> SoloBoard:
        assert self.board is not None
        return self.board

    @property
    def text(self) -> str:
        return views.board(self.seen, page(private=self.kind == "private")).text

    @property
    def keys(self) -> tuple[Key, ...]:
        view = views.board(self.seen, page(private=self.kind == "private"))
        return tuple(key for row in view.keys for key in row)

    def key(self, verb: Verb) -> Tap:
        """The payload of the key on the board that does this."""
        return next(key.tap for key in self.keys if key.tap is not None and key.tap.verb is verb)

    @property
    def verbs(self) -> set[Verb]:
        return {key.tap.verb for key in self.keys if key.tap is not None}

    async def command(self, *amounts: int, words: bool = False, update_id: int | None = None) -> solo.Brought:
        """`/deal …`; *words*: something that is no number."""
        brought = await self.store.run(
            solo.deal_command, self.who, amounts=None if words else amounts,
            update_id=next(self.updates) + 1000 * self.user_id if update_id is None else update_id,
            door="d" * 26, secret=secret(), now=self._later(),
        )  # fmt: skip
        await self._painted(brought.board)
        return brought

    async def tap(self, tap: Tap, *, mark: int | None = None, who: Who | None = None) -> SoloBoard:
        """What the handlers do with a tap."""
        board = self.seen.board
        who = who or self.at(board.message_id)
        if tap.verb in _BETS:
            value = await self.store.run(solo_hand.bet, who, tap, mark=mark, now=self._later())
        elif tap.verb is Verb.DEAL:
            value = await self.store.run(solo_hand.deal, who, tap, secret=secret(), now=self._later())
        elif tap.verb in {Verb.PLAY, Verb.FOLD}:
            value = await self.store.run(solo_hand.decide, who, tap, secret=secret(), now=self._later())
        elif tap.verb in _PAGES:
            value = await self.store.run(solo_pages.turn, who, tap, now=self._later())
        elif tap.verb is Verb.LEAVE:
            value = await self.store.run(solo_pages.leave, who, tap, now=self._later())
        elif tap.verb is Verb.NEW_NIGHT:
            value = await self.store.run(solo_pages.new_night, who, tap, secret=secret(), now=self._later())
        else:
            assert tap.verb is Verb.DESIGN, tap
            value = await self.store.run(solo_pages.design, who, tap, now=self._later())
        await self._painted(value)
        return value

    async def press(self, verb: Verb) -> SoloBoard:
        """Tap the key on the board that does this."""
        return await self.tap(self.key(verb))

    async def say(self, verb: Verb, *, update_id: int | None = None) -> SoloBoard:
        """Type the word for a key."""
        value = await self.store.run(
            solo.word, self.who, verb,
            update_id=next(self.updates) + 1000 * self.user_id if update_id is None else update_id,
            secret=secret(), now=self._later(),
        )  # fmt: skip
        await self._painted(value)
        return value

    async def hint(self) -> Advised:
        return await self.store.read(solo_hand.hint, self.at(self.seen.board.message_id), self.key(Verb.HINT))

    def at(self, message_id: int | None) -> Who:
        """The person, at a certain message."""
        return somebody(self.user_id, self.chat_id, message_id, kind=self.kind)

    async def seat(self) -> Seat:
        found = await self.store.read(lambda tx: tx.seats.at(self.chat_id, self.user_id))
        assert found is not None
        return found

    async def table(self, rules: RuleSet) -> None:
        """The chat plays by these rules from the next night on."""

        def use_case(tx: Tx) -> None:
            tx.chats.seen(self.chat_id, kind=self.kind, title="Friends", now=NOW)
            chat = tx.chats.get(self.chat_id)
            assert chat is not None
            tx.chats.put(replace(chat, rules=rules))

        await self.store.run(use_case)

    async def take(self, value: SoloBoard) -> None:
        """See this board from now on."""
        await self._painted(value)

    async def _painted(self, value: SoloBoard) -> None:
        """What the painter would do at once: send the board if it is new, and tell where it stands."""
        board = value.board
        if board.message_id is None:
            number = next(self.messages)
            await self.store.run(
                lambda tx: tx.messages.sent(board.id, chat_id=board.chat_id, message_id=number, version=board.wanted)
            )
            stored = await self.store.read(solo.board_of, board.id)
            assert stored is not None
            value = stored
        self.board = value

    def _later(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now
