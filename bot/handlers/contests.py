"""`/top` and its keys."""

from __future__ import annotations

from bot.facts import Tap, Verb, Who
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps
from bot.periods import Period
from bot.refusals import DeadKey
from bot.services import contests
from bot.views import contests as views
from bot.views.kit import View


async def top_command(desk: Desk, who: Who, _said: Said) -> None:
    desk.say(who, await _top(desk, who, Period.WEEK, asker=who.user_id))


async def _top_key(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    """On a top five the key turns its page; on a board, which has a number, it asks for a new message."""
    view = await _top(desk, who, _period(tap), asker=tap.round or who.user_id)
    if tap.board or who.message_id is None:
        desk.say(who, view)
    else:
        desk.painter.aside(desk.painter.edit(who.chat_id, who.message_id, view))
    return Answer()


async def _my_place(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    period = _period(tap)
    own = await desk.store.read(contests.my_place, who, period, now=desk.clock.now())
    return Answer(text=views.place_toast(own, period, await desk.reader_page(who)))


async def _top(desk: Desk, who: Who, period: Period, *, asker: int) -> View:
    found = await desk.store.read(contests.top, who, period, asker=asker, now=desk.clock.now())
    private = who.chat_kind == "private"
    page = desk.page(found.person, found.chat, private=private, app_language=who.app_language)
    if private:
        return views.own_nights(found.nights, page, period=period, asker=asker)
    return views.top(
        found.scores,
        found.own,
        page,
        title=who.chat_title or (found.chat.title if found.chat else ""),
        period=period,
        ends=found.ends,
        zone_name=found.zone,
        asker=asker,
    )


def _period(tap: Tap) -> Period:
    try:
        return Period(tap.numbers[0])
    except ValueError:
        raise DeadKey from None


TAPS: Taps = {Verb.TOP: _top_key, Verb.MY_PLACE: _my_place}
COMMANDS: Commands = {"top": top_command}
