"""How often one person may ask for something that costs work: kept in memory, bounded, on the desk's clock."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta

_MOST = 4096  # people remembered


class Cooldown:
    """At most once per person in so many seconds."""

    def __init__(self, seconds: float = 30.0) -> None:
        self._pause = timedelta(seconds=seconds)
        self._free: OrderedDict[int, datetime] = OrderedDict()  # user id: free again at

    def begin(self, user_id: int, now: datetime) -> float:
        """Nought, and the pause begins; or the seconds that are still to wait."""
        self._forget(now)
        free = self._free.get(user_id)
        if free is not None and now < free <= now + self._pause:  # further off: the clock was set back
            return (free - now).total_seconds()
        self._free[user_id] = now + self._pause
        self._free.move_to_end(user_id)
        return 0.0

    def _forget(self, now: datetime) -> None:
        while self._free:
            user_id, free = next(iter(self._free.items()))
            if now < free and len(self._free) < _MOST:
                return
            del self._free[user_id]
