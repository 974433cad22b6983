"""Telegram's budgets: about one message a second in a chat, 20 a minute in a group, 30 a second in all (Bot FAQ)."""

import math
from collections import deque
from collections.abc import Callable

from bot.playground.refusals import too_many_requests

_CHAT_BURST = 5
_GROUP_PER_MINUTE = 20
_OVERALL_PER_SECOND = 30


class Limits:
    """Counts sends and edits; answers to taps are free."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self._buckets: dict[int, tuple[float, float]] = {}
        self._groups: dict[int, deque[float]] = {}
        self._overall: deque[float] = deque()

    def spend(self, chat_id: int, *, group: bool) -> None:
        """Take one slot. Raises ApiError 429 with the whole seconds until there is one again."""
        now = self.now()
        tokens, since = self._buckets.get(chat_id, (float(_CHAT_BURST), now))
        tokens = min(float(_CHAT_BURST), tokens + now - since)
        minute = self._groups.setdefault(chat_id, deque()) if group else deque[float]()
        wait = max(
            1 - tokens,
            _wait(minute, now, span=60, most=_GROUP_PER_MINUTE),
            _wait(self._overall, now, span=1, most=_OVERALL_PER_SECOND),
        )
        if wait > 0:
            raise too_many_requests(max(1, math.ceil(wait)))
        self._buckets[chat_id] = (tokens - 1, now)
        minute.append(now)
        self._overall.append(now)


def _wait(times: deque[float], now: float, *, span: float, most: int) -> float:
    while times and times[0] <= now - span:
        times.popleft()
    return times[0] + span - now if len(times) >= most else 0.0
