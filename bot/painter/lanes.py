"""
Whose turn it is: one lane per chat, in it the calls that wait, started as the chat's budget allows.

Nothing here waits for anything but the clock; a lane is looked at when a call is added, ends, or falls due.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable, Iterator, Mapping
from math import inf
from typing import Any

import structlog

from bot.facts import Clock
from bot.painter.budget import Budget, Limits
from bot.painter.job import Job, Urgency
from bot.painter.leases import Leases
from bot.storage.lanes import Account
from bot.storage.messages import Standing

log = structlog.get_logger(__name__)

_CLOSE_ENOUGH = 0.001  # seconds; a clock need not come back to the microsecond
_MANY_LANES = 512
_ELSEWHERE = (0.005, 0.5)  # seconds until a chat that somebody else has is asked for again; longer each time, at most
_SURE = 1.0  # seconds that a lease must have left when a call begins


class Lane:
    """The calls of one chat that wait or are under way, and its budget."""

    __slots__ = ("alarm", "alarm_at", "asking", "budget", "busy", "changing", "ours", "refusals", "waiting")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.waiting: dict[Hashable, Job] = {}
        self.busy = 0
        self.changing: set[int] = set()  # messages that calls under way change: a second might overtake the first
        self.alarm: asyncio.Task[None] | None = None
        self.alarm_at = inf
        # Where other processes write as well:
        self.ours = 0.0  # until then, if not nought
        self.asking = False
        self.refusals = 0


class Lanes:
    """All chats' lanes; with *leases* a call is made only while its chat is ours."""

    def __init__(self, clock: Clock, limits: Limits, leases: Leases | None = None) -> None:
        self._clock = clock
        self._leases = leases
        self._limits = limits
        self._lanes: dict[int, Lane] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._moved = asyncio.Event()
        self._sweep_at = _MANY_LANES
        self._offset = 0.0
        self._last = 0.0

    def now(self) -> float:
        """Seconds that never run backwards, so that a wall clock set back stops no chat."""
        reading = self._clock.now().timestamp() + self._offset
        if reading < self._last:
            self._offset += self._last - reading
            reading = self._last
        self._last = reading
        return reading

    def add(self, job: Job) -> None:
        """Let *job* wait in its chat, in the place and with the age of a waiting one of the same key."""
        lane = self._lane(job.chat_id)
        before = lane.waiting.get(job.key)
        job.since = before.since if before is not None else job.since or self.now()
        if before is not None and before is not job:
            before.drop()
        lane.waiting[job.key] = job
        job.knows = False
        self.look(job.chat_id)

    def remove(self, job: Job) -> None:
        """Let *job* wait no more; nothing if it does not, or a later one has taken its place."""
        lane = self._lanes.get(job.chat_id)
        if lane is not None and lane.waiting.get(job.key) is job:
            del lane.waiting[job.key]
            self._moved.set()

    def take_all(self, chat_id: int) -> list[Job]:
        """Empty a chat's lane; what waited there."""
        lane = self._lanes.get(chat_id)
        if lane is None:
            return []
        jobs = [*lane.waiting.values()]
        lane.waiting.clear()
        self._moved.set()
        return jobs

    def cool(self, chat_id: int, seconds: float) -> None:
        """Let a chat rest; the others go on."""
        self._lane(chat_id).budget.cool(self.now() + seconds)

    def waiting(self) -> int:
        """How many calls wait, in all chats."""
        return sum(len(lane.waiting) for lane in self._lanes.values())

    def lag(self) -> float:
        """Seconds that the oldest call has been waiting, 0 if none waits."""
        waiting = [job.since for lane in self._lanes.values() for job in lane.waiting.values()]
        return max(0.0, self.now() - min(waiting)) if waiting else 0.0

    def look(self, chat_id: int) -> None:
        """Start what may start in this chat, and set the alarm for what may start next."""
        lane = self._lanes.get(chat_id)
        if lane is None:
            return
        now = self.now()
        while True:
            job, soonest = self._next(lane, now)
            if job is None:
                break
            if self._leases is not None and not self._may(chat_id, lane, job, now):
                return  # the answer looks again
            del lane.waiting[job.key]
            self._moved.set()
            if not self._skipped(job):
                job.begin()
                lane.budget.spend(now, job.board or 0)
                lane.busy += 1
                message = job.changes
                if message is not None:
                    lane.changing.add(message)
                self._start(self._run(chat_id, lane, job, message))
        if self._leases is not None and lane.ours and not lane.busy and not lane.asking:
            self._leave(chat_id, lane, now)
        self._set_alarm(chat_id, lane, now, soonest)

    def _skipped(self, job: Job) -> bool:
        try:
            if not job.needless():
                return False
        except Exception:
            log.exception("picture_cannot_be_made")
            job.drop()
        else:
            job.skip()
        return True

    def _next(self, lane: Lane, now: float) -> tuple[Job | None, float]:
        """The most urgent, longest waiting job that may start now; else when the first of them may."""
        best: Job | None = None
        soonest = inf
        for job in lane.waiting.values():
            if lane.changing and job.changes in lane.changing:
                continue  # the end of that call looks again
            at = max(job.earliest(self._limits), lane.budget.ready_at(now, new=job.urgency is Urgency.NEW))
            if at > now + _CLOSE_ENOUGH:
                soonest = min(soonest, at)
            elif best is None or (job.urgency, job.since) < (best.urgency, best.since):
                best = job
        return best, soonest

    async def _run(self, chat_id: int, lane: Lane, job: Job, message: int | None) -> None:
        try:
            await job.run()
        except Exception:
            log.exception("painter_failed")
            job.drop()
        finally:
            lane.busy -= 1
            if message is not None:
                lane.changing.discard(message)
            self._moved.set()
            self.look(job.chat_id)
            if job.chat_id != chat_id:
                self.look(chat_id)

    # Chats that others write into as well

    def _may(self, chat_id: int, lane: Lane, job: Job, now: float) -> bool:
        """Whether the call may be made; else the chat is asked for."""
        assert self._leases is not None  # noqa: S101 - only then this is asked
        if lane.ours > now + _SURE and job.knows:
            self._leases.keep()
            return True
        if not lane.asking:
            lane.asking = True
            self._leases.ask(chat_id, (each.board for each in lane.waiting.values() if each.board is not None))
        return False

    def given(self, chat_id: int, account: Account, standings: Mapping[int, Standing | None], until: float) -> None:
        """The chat is ours until then."""
        lane = self._lane(chat_id)
        if lane.ours <= self.now():  # else nobody else has spent anything
            lane.budget.settle(account)
        lane.ours, lane.asking, lane.refusals = until, False, 0
        for job in [*lane.waiting.values()]:
            if job.board is not None and job.board not in standings:
                continue  # it came after the question
            standing = standings.get(job.board) if job.board is not None else None
            painted_at = lane.budget.painted_at(job.board) if job.board is not None else -inf
            if job.learn(standing, painted_at):
                job.knows = True
            else:
                del lane.waiting[job.key]
                self._moved.set()
                job.drop()
        self.look(chat_id)

    def refused(self, chat_id: int) -> None:
        """Somebody else has the chat: ask again soon."""
        lane = self._lane(chat_id)
        shortest, longest = _ELSEWHERE
        lane.asking = False
        if not lane.busy:
            lane.ours = 0.0
        lane.budget.taken(self.now() + min(longest, shortest * 2**lane.refusals))
        lane.refusals += 1
        self.look(chat_id)

    def held(self) -> Iterator[tuple[int, float]]:
        """Chats with calls under way, and until when they are ours."""
        return ((chat_id, lane.ours) for chat_id, lane in self._lanes.items() if lane.busy)

    def _leave(self, chat_id: int, lane: Lane, now: float) -> None:
        assert self._leases is not None  # noqa: S101 - the same
        lane.ours = 0.0
        for job in lane.waiting.values():
            job.knows = False
        self._leases.leave(chat_id, lane.budget.account(now))

    def _set_alarm(self, chat_id: int, lane: Lane, now: float, soonest: float) -> None:
        if soonest >= lane.alarm_at or soonest == inf:
            return  # an alarm that comes too early does no harm
        if lane.alarm is not None:
            lane.alarm.cancel()
        lane.alarm_at = soonest
        lane.alarm = self._start(self._ring(chat_id, lane, soonest - now))

    async def _ring(self, chat_id: int, lane: Lane, seconds: float) -> None:
        await self._clock.sleep(max(seconds, _CLOSE_ENOUGH))
        lane.alarm, lane.alarm_at = None, inf
        self.look(chat_id)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def _lane(self, chat_id: int) -> Lane:
        lane = self._lanes.get(chat_id)
        if lane is None:
            if len(self._lanes) >= self._sweep_at:
                self._sweep()
            lane = self._lanes[chat_id] = Lane(Budget(self._limits, group=chat_id < 0))
        return lane

    def _sweep(self) -> None:
        """Forget the chats in which nothing waits and every budget is whole."""
        now = self.now()
        idle = [
            id_
            for id_, lane in self._lanes.items()
            if not lane.waiting and not lane.busy and not lane.asking and lane.budget.fresh(now)
        ]
        for id_ in idle:
            del self._lanes[id_]
        self._sweep_at = max(_MANY_LANES, 2 * len(self._lanes))

    def occupied(self) -> bool:
        """Whether a call waits or is under way anywhere."""
        return any(lane.waiting or lane.busy for lane in self._lanes.values())

    async def rest(self) -> None:
        """Until nothing waits and no call is under way."""
        while self.occupied():
            self._moved.clear()
            await self._moved.wait()

    def close(self) -> None:
        """Drop all that waits; what is under way is cancelled."""
        for lane in self._lanes.values():
            lane.waiting.clear()
        for task in [*self._running]:
            task.cancel()
