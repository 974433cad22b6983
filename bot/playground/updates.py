"""The queue of updates: kept until the bot asks for a later one, 24 hours at most, taps 150 seconds (Bot API)."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bot.playground.identity import Profile
from bot.playground.records import Json
from bot.playground.refusals import ApiError, conflict
from bot.playground.state import Store

DAY = 86_400.0
TAP_LIFETIME = 150.0  # seconds a callback query waits for a bot that is down
KINDS = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "guest_message",
    "message_reaction",
    "message_reaction_count",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "purchased_paid_media",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "managed_bot",
]
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(slots=True, kw_only=True)
class Pending:
    """An update that the bot has not acknowledged."""

    update: Json
    expires: float  # seconds since 1970
    lane: str  # updates of one lane keep their order on the way to a webhook


class Updates:
    """What waits for the bot, by polling or by the courier of its webhook."""

    def __init__(self, *, profile: Profile, now: Callable[[], float], store: Store | None) -> None:
        self.profile = profile
        self.now = now
        self.store = store
        self.pending: OrderedDict[int, Pending] = OrderedDict()
        self.again: list[Json] = []
        self.history: deque[Json] = deque(maxlen=1000)
        self.shuffled: Random | None = None
        self.on_arrival: Callable[[], None] = lambda: None
        self._poller: asyncio.Future[None] | None = None
        self._ordered = True  # ids rise along the queue, as long as nobody injects his own
        self._next_expiry = 0.0  # nothing expires before
        if store is not None:
            for kept in store.read("update"):
                self.pending[kept["update"]["update_id"]] = Pending(**kept)

    def wanted(self, kind: str) -> bool:
        """Whether the bot asked for this kind, or nobody said anything and it is one of the usual."""
        allowed = self.profile.allowed_updates
        return kind in allowed if allowed else kind not in NOT_BY_DEFAULT

    def add(self, kind: str, body: Json, *, lane: str, lifetime: float = DAY) -> int | None:
        """Queue an update; None where the bot did not ask for its kind."""
        if not self.wanted(kind):
            return None
        update_id = self.profile.next_update_id
        self.profile.next_update_id += 1
        self._queue({"update_id": update_id, kind: body}, lane, lifetime)
        return update_id

    def inject(self, update: Json) -> int:
        """Queue an update exactly as given, with the next id where it has none."""
        update_id = update.get("update_id")
        if update_id is None:
            update_id = self.profile.next_update_id
            self.profile.next_update_id += 1
        self._ordered = False
        self._queue({**update, "update_id": update_id}, f"injected:{update_id}", DAY)
        return int(update_id)

    def _queue(self, update: Json, lane: str, lifetime: float) -> None:
        pending = Pending(update=update, expires=self.now() + lifetime, lane=lane)
        self.pending[update["update_id"]] = pending
        self._next_expiry = min(self._next_expiry, pending.expires)
        self.history.append(update)
        if self.store is not None:
            self.store.keep(f"update/{update['update_id']:020}", pending)
            self.store.keep("bot/self", self.profile)
        self._arrived()

    def repeat(self, count: int = 1, update_id: int | None = None) -> int:
        """Deliver the last updates (or one of them) once more under the same ids; how many there were."""
        chosen = [u for u in self.history if update_id is None or u["update_id"] == update_id]
        chosen = chosen[-count:] if count else []
        self.again += chosen
        if chosen:
            self._arrived()
        return len(chosen)

    def _arrived(self) -> None:
        if self._poller is not None and not self._poller.done():
            self._poller.set_result(None)
        self.on_arrival()

    def drop(self, update_id: int) -> None:
        """Forget an update: it was delivered."""
        if self.pending.pop(update_id, None) is not None and self.store is not None:
            self.store.drop(f"update/{update_id:020}")

    def drop_all(self) -> None:
        for update_id in list(self.pending):
            self.drop(update_id)
        self.again.clear()

    def expire(self) -> None:
        """Forget what waited too long."""
        now = self.now()
        if now < self._next_expiry:
            return
        for update_id in [number for number, pending in self.pending.items() if pending.expires <= now]:
            self.drop(update_id)
        self._next_expiry = min((pending.expires for pending in self.pending.values()), default=now + DAY)

    def acknowledge(self, offset: int) -> None:
        """Forget everything before the offset; a negative one counts from the end of the queue."""
        if offset < 0:
            for update_id in list(self.pending)[:offset]:
                self.drop(update_id)
            return
        if not self._ordered:
            for update_id in [number for number in self.pending if number < offset]:
                self.drop(update_id)
            self._ordered = not self.pending
        while self.pending and (first := next(iter(self.pending))) < offset:
            self.drop(first)

    def batch(self, limit: int) -> list[Json]:
        """The next updates, those repeated by a fault first."""
        self.expire()
        chosen, self.again = self.again[:limit], self.again[limit:]
        for pending in self.pending.values():
            if len(chosen) >= limit:
                break
            chosen.append(pending.update)
        if self.shuffled is not None and len(chosen) > 1:
            self.shuffled.shuffle(chosen)
            self.shuffled = None
        return chosen

    async def poll(self, *, offset: int, limit: int, timeout: float) -> list[Json]:  # noqa: ASYNC109 (the API's name)
        """GetUpdates. Raises ApiError 409 in the older of two polls, and while a webhook is set."""
        if self.profile.webhook:
            raise conflict(
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            )
        self.acknowledge(offset)
        found = self.batch(limit)
        if found or timeout <= 0:
            return found
        self.interrupt(
            conflict("terminated by other getUpdates request; make sure that only one bot instance is running")
        )
        poller: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._poller = poller
        try:
            await asyncio.wait_for(poller, timeout)
        except TimeoutError:
            return []
        finally:
            if self._poller is poller:
                self._poller = None
        return self.batch(limit)

    def interrupt(self, reason: ApiError | None = None) -> None:
        """End the poll that waits, with an error or with nothing."""
        poller, self._poller = self._poller, None
        if poller is None or poller.done():
            return
        if reason is None:
            poller.set_result(None)
        else:
            poller.set_exception(reason)
