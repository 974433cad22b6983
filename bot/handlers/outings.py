"""Into a contest or the daily five: doors, `/daily`, and what of an event can be checked."""

from __future__ import annotations

import re

from bot.facts import Tap, Verb, Who
from bot.handlers import gate
from bot.handlers.calendar import turned
from bot.handlers.desk import Desk
from bot.handlers.event_pictures import day_picture
from bot.handlers.kit import Answer, Commands, Said, Taps, mark_of
from bot.refusals import AlreadyDone, DayPlayed, DeadKey
from bot.services import contest_course, daily, sealed_events
from bot.services.outings import Came
from bot.views import daily as daily_views
from bot.views import standings
from bot.views.event_files import event_file

DOOR = re.compile(standings.DOOR + r"([a-z2-7]{26})")


async def enter(desk: Desk, who: Who, code: str, said: Said) -> None:
    """`/start e<code>`: whoever is a member of the group when the door is used."""
    group = await desk.store.read(contest_course.group_of, code)

    async def act() -> None:
        came = await desk.run(
            contest_course.enter, who, code, update_id=said.update_id, secret=desk.chance(), now=desk.clock.now()
        )
        _show(desk, came)

    gate.through_door(desk, who, group, act)


def _show(desk: Desk, came: Came) -> None:
    desk.show(came.board)
    for board in came.retired:
        desk.painter.retire(board.id, board.chat_id, board.message_id)


async def daily_command(desk: Desk, who: Who, said: Said) -> None:
    """`/daily`: in private one's own page, in a group its one message of the day."""
    await turned(desk)
    chance, now = desk.chance(), desk.clock.now()
    if who.chat_kind == "private":
        own = await desk.run(daily.page, who, chance=chance, now=now)
        desk.say(who, daily_views.page_of(own, desk.page(own.person, None, private=True)))
        return
    found = await desk.run(daily.bring, who, update_id=said.update_id, chance=chance, now=now)
    picture = day_picture(found.day, found.board, desk.page(None, found.day.chat, private=False))
    desk.painter.show(picture, doubtful=found.unchanged)
    if found.unchanged:
        desk.sign(who, "👌")


async def _play_today(desk: Desk, who: Who, _tap: Tap, query_id: str) -> Answer:
    """In private only: everybody has the same deals, and in a group they would see them."""
    if who.chat_kind != "private":
        raise DeadKey
    await turned(desk)
    try:
        came = await desk.run(daily.play, who, mark=mark_of(query_id), chance=desk.chance(), now=desk.clock.now())
    except AlreadyDone:
        return Answer()
    if came.board.night is not None and came.board.night.closed is not None:
        _show(desk, came)
        raise DayPlayed
    _show(desk, came)
    return Answer()


async def seal(desk: Desk, who: Who, commitment: str) -> bool:
    """`/start <commitment>` of an event; False if it is none."""
    event = await desk.store.read(sealed_events.by_seal, commitment)
    if event is None:
        return False
    desk.say(who, standings.sealed(event, await desk.here_page(who)))
    return True


async def _file(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    found = await desk.store.read(sealed_events.hands_of, who, tap.round)
    name, content = event_file(found.event, found.rounds)
    desk.give(who, name, content)
    return Answer(text=(await desk.reader_page(who)).t("Here it comes."))


TAPS: Taps = {Verb.DAILY: _play_today, Verb.CONTEST_FILE: _file}
COMMANDS: Commands = {"daily": daily_command}
