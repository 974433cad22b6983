"""What Telegram allows a bot in one chat: about one call a second, in a group besides twenty in a minute."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import ceil, inf

from bot.storage.lanes import Account

MINUTE = 60.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Budgets per chat (BOTAPI section 3, BOARDS section 2); all times in seconds."""

    gap: float = 1.0  # one call a second
    burst: int = 3  # that many at once in a private chat; Telegram allows short bursts
    group_burst: int = 1
    group_minute: int = 20  # calls in any minute
    kept_for_new: int = 4  # of them, for boards that do not exist yet
    betting_gap: float = 3.0  # between two pictures of a betting board in a group
    calm_gap: float = 60.0  # between two pictures of standings


TELEGRAM = Limits()


class Budget:
    """
    The calls of one chat on a line of time given by the caller, in seconds.

    The second's limit is a bucket kept as the time at which it would be full again; the minute's is a window.
    """

    __slots__ = ("_burst", "_cool", "_full", "_limits", "_spent", "_taken")

    def __init__(self, limits: Limits, *, group: bool) -> None:
        self._limits = limits
        self._burst = limits.group_burst if group else limits.burst
        self._spent: deque[tuple[float, int]] | None = deque() if group else None  # when, and for which board
        self._full = 0.0
        self._cool = 0.0
        self._taken = 0.0

    def ready_at(self, now: float, *, new: bool) -> float:
        """The first moment from *now* on at which a call fits; *new* may use what is kept for new boards."""
        ready = max(now, self._cool, self._taken, self._full - (self._burst - 1) * self._limits.gap)
        if self._spent is None:
            return ready
        allowed = self._limits.group_minute - (0 if new else self._limits.kept_for_new)
        if len(self._spent) >= allowed:
            ready = max(ready, self._spent[-allowed][0] + MINUTE)
        return ready

    def spend(self, now: float, board: int = 0) -> None:
        """A call was made for this board; 0 for none."""
        self._full = max(now, self._full) + self._limits.gap
        if self._spent is not None:
            self._spent.append((now, board))
            while len(self._spent) > self._limits.group_minute:
                self._spent.popleft()

    def cool(self, until: float) -> None:
        """Telegram said 429: nothing goes out in this chat before *until*."""
        self._cool = max(self._cool, until)

    def taken(self, until: float) -> None:
        """Somebody else writes into this chat, at least until then."""
        self._taken = until

    def account(self, now: float) -> Account:
        """What others have to know."""
        calls = tuple((_ms(at), board) for at, board in self._spent or () if at + MINUTE > now)
        return Account(full=_ms(self._full), cool=_ms(self._cool), calls=calls)

    def settle(self, account: Account) -> None:
        """What others have spent."""
        self._full = max(self._full, account.full / 1000)
        self._cool = max(self._cool, account.cool / 1000)
        if self._spent is not None:
            self._spent = deque(((at / 1000, board) for at, board in account.calls), self._limits.group_minute)

    def painted_at(self, board: int) -> float:
        """When a call was made for this board; minus infinity if none is known."""
        return max((at for at, each in self._spent or () if each == board), default=-inf)

    def fresh(self, now: float) -> bool:
        """Whether forgetting this budget would change nothing."""
        spent_lately = bool(self._spent) and self._spent is not None and self._spent[-1][0] + MINUTE > now
        return not spent_lately and self._full <= now and self._cool <= now


def _ms(at: float) -> int:
    return ceil(1000 * at)
