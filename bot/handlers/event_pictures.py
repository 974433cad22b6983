"""The messages that show contests and days in groups, as pictures of what is stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.events import DayBoard
from bot.facts import Chat
from bot.painter import Picture, Urgency
from bot.services import contest_course, daily
from bot.storage import EventBoard, Store
from bot.views import daily as daily_views
from bot.views import standings
from bot.views.kit import Page, View


async def event_picture(store: Store, board_id: int, page: Callable[[Chat], Page], now: datetime) -> Picture | None:
    """The picture of an event's message from what is stored; None if there is no such message."""
    contest = await store.run(contest_course.picture, board_id, now=now)
    if contest is not None:
        view = standings.board(contest.standings, page(contest.standings.chat))
        return _picture(contest.board, view, over=contest.standings.event.closed is not None)
    day = await store.run(daily.board, board_id, now=now)
    if day is None:
        return None
    value, place = day
    return _picture(place, daily_views.board(value, page(value.chat)), over=False)


def contest_picture(shown: contest_course.Shown, page: Page) -> Picture:
    """A contest's message, for the one who asked for it."""
    return _picture(shown.board, standings.board(shown.standings, page), over=True)


def day_picture(value: DayBoard, place: EventBoard, page: Page) -> Picture:
    """A group's message about a day, for the one who asked for it."""
    return _picture(place, daily_views.board(value, page), over=True)


def _picture(place: EventBoard, view: View, *, over: bool) -> Picture:
    """What changes while people play is painted calmly, at most once a minute."""
    fresh = place.message_id is None
    return Picture(
        board=place.board,
        version=place.wanted,
        view=view,
        chat_id=place.chat_id,
        thread_id=place.thread_id,
        message_id=place.message_id,
        old_message_id=place.old_message_id,
        painted=place.painted,
        urgency=Urgency.NEW if fresh else Urgency.STAGE if over else Urgency.CALM,
    )
