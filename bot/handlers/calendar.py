"""What happens by the clock: contests end, months and days turn, groups are told, standings are painted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.handlers.desk import Desk
from bot.jobs import Handler
from bot.refusals import EventOver
from bot.services import announcements, contest_course, daily, events, seasons
from bot.services.contest_course import Closed
from bot.storage import Post, Timer
from bot.views import contests as contest_views
from bot.views import standings
from bot.views.kit import View

_AGAIN = timedelta(minutes=5)  # until what was certainly not sent is tried again


class Calendar:
    """The handlers of durable timers, bound to one desk; each may be called twice, and does its work once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def timers(self) -> Mapping[str, Handler]:
        return {
            contest_course.END: self._contest,
            contest_course.POSTS: self._posts,
            events.STANDINGS: self._standings,
            seasons.SEASON: self._season,
            daily.TURN: self._day,
            events.PLAYED: self._forgets,
        }

    async def begin(self) -> None:
        """At the start: today's and tomorrow's deals are committed, and every chat with seasons has its timer."""
        await turned(self._desk)
        await self._desk.store.run(seasons.arrange_all, now=self._desk.clock.now())

    async def _contest(self, timer: Timer) -> None:
        try:
            closed = await self._desk.store.run(contest_course.end, timer.subject, now=self._desk.clock.now())
        except EventOver:
            return  # an admin was first, or another process
        await closed_now(self._desk, closed)

    async def _standings(self, timer: Timer) -> None:
        await show_event(self._desk, timer.subject)

    async def _season(self, timer: Timer) -> None:
        await self._desk.store.run(seasons.end, timer.subject, timer.due, now=self._desk.clock.now())

    async def _day(self, _timer: Timer) -> None:
        await turned(self._desk)

    async def _forgets(self, _timer: Timer) -> None:
        """The timer was all that told of somebody's one try, and it goes."""

    # What groups are told

    async def _posts(self, timer: Timer) -> None:
        desk = self._desk
        for post in await desk.store.read(announcements.waiting, timer.subject):
            view = await self._view(post)
            if view is not None:
                await self._tell(post, view)
            else:  # nothing to say any more
                await desk.store.run(announcements.begin, post.key)
        again = desk.clock.now() + _AGAIN
        await desk.store.run(announcements.again, timer.subject, again)

    async def _tell(self, post: Post, view: View) -> None:
        """Whoever is first to begin sends it; what may have arrived is not sent again."""
        store = self._desk.store
        message_id = await self._desk.painter.post(
            post.chat_id,
            view,
            thread_id=post.thread_id,
            begin=lambda: store.run(announcements.begin, post.key),
            put_back=lambda: store.run(announcements.put_back, post.key),
        )
        if message_id is not None:
            await store.run(announcements.sent, post.key, message_id)

    async def _view(self, post: Post) -> View | None:
        desk, told = self._desk, json.loads(post.body)
        if "contest" in told:
            found = await desk.store.read(announcements.contest, told["contest"])
            return standings.final(found, desk.page(None, found.chat, private=False)) if found is not None else None
        if "season" in told:
            since = datetime.fromisoformat(told["since"]) if told["since"] else None
            until = datetime.fromisoformat(told["until"])
            month = await desk.store.read(seasons.told, post.chat_id, told["season"], since, until)
            return contest_views.season(month, desk.page(None, month.chat, private=False)) if month else None
        return None


async def turned(desk: Desk) -> None:
    """Midnight has come, if it has: whoever is first closes the day, and the pictures follow."""
    changed = await desk.store.run(daily.turn, chance=desk.chance(), now=desk.clock.now())
    desk.painter.aside(desk.painter.repaint(changed))


async def closed_now(desk: Desk, closed: Closed) -> None:
    """The pictures that a contest's end changes."""
    for board_id in closed.event_boards:
        await show_event(desk, board_id)
    desk.painter.aside(desk.painter.repaint(closed.boards))


async def show_event(desk: Desk, board_id: int) -> None:
    """The message of a contest or of a day, as it is stored by now."""
    picture = await desk.event_picture(board_id)
    if picture is not None:
        desk.painter.show(picture)
