"""The group table: its keys, `/table`, the dice that cut a hand, and the clock."""

from __future__ import annotations

from dataclasses import replace

from bot.facts import Tap, Verb, Who
from bot.handlers import gate
from bot.handlers.desk import Desk
from bot.handlers.kit import Answer, Commands, Said, Taps, mark_of
from bot.handlers.refusing import REFUSED
from bot.refusals import AlreadyDone, NotAdmin
from bot.services import table, table_bets
from bot.tables import TableTold
from bot.views.coach import hint_alert
from bot.views.kit import Page, View
from bot.views.table_toasts import over_limit, tapped
from core.errors import BetTooLarge, ChipNotUsable

_USE_CASES = {**table.USE_CASES, **table_bets.USE_CASES}
DICE = {"🎲", "🎰"}
"""What may cut a hand (BOARDS section 7)."""


async def _act(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    use_case = _USE_CASES[tap.verb]
    told = await desk.run(use_case, who, tap, secret=desk.chance(), now=desk.clock.now())
    return await _told(desk, who, tap, told)


async def _bet(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    now = desk.clock.now()
    try:
        told = await desk.run(table_bets.bet, who, tap, mark=mark_of(query_id), secret=desk.chance(), now=now)
    except (BetTooLarge, ChipNotUsable) as refusal:
        return Answer(text=over_limit(refusal, await desk.table_page(who)))
    return await _told(desk, who, tap, told)


async def _sit(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    secret, seat_secret = desk.chance(), desk.chance()
    told = await desk.run(table.sit, who, tap, secret=secret, seat_secret=seat_secret, now=desk.clock.now())
    return await _told(desk, who, tap, told)


async def _hint(desk: Desk, who: Who, tap: Tap, _query_id: str) -> Answer:
    advised = await desk.store.read(table_bets.hint, who, tap)
    text = hint_alert(advised, advised.advice, advised.rules, await desk.reader_page(who))
    return Answer(text=text, alert=True)


async def _close(desk: Desk, who: Who, tap: Tap, query_id: str) -> Answer:
    """Whoever sits there alone may; else an admin, as Telegram says at this moment."""

    async def act(_hidden: bool, *, admin: bool = True) -> Answer:
        told = await desk.run(table.close, who, tap, admin=admin, secret=desk.chance(), now=desk.clock.now())
        return await _told(desk, who, tap, told)

    if await desk.store.read(table.sits_alone, who, tap):
        return await act(False, admin=False)
    return await gate.tapped(desk, who, query_id, act, fresh=True)


async def _told(desk: Desk, who: Who, tap: Tap, told: TableTold) -> Answer:
    desk.show_table(told)
    alert = told.peeked or tap.verb is Verb.TABLE_CARDS
    keys = desk.group_page(told.board.chat).t
    return Answer(text=tapped(told, tap.verb, await _page(desk, who, told), keys), alert=alert)


async def _page(desk: Desk, who: Who, told: TableTold) -> Page:
    """Toasts speak the tapper's language."""
    person = told.board.people.get(told.seat) if told.seat is not None else None
    if person is None or person.id != who.user_id:
        return await desk.reader_page(who)
    return desk.page(person, None, private=False, app_language=who.app_language)


TAPS: Taps = {
    **dict.fromkeys(_USE_CASES, _act),
    **dict.fromkeys((Verb.TABLE_ADD, Verb.TABLE_TAKE, Verb.TABLE_CLEAR), _bet),
    Verb.TABLE_SIT: _sit,
    Verb.TABLE_HINT: _hint,
    Verb.TABLE_CLOSE: _close,
}


async def table_command(desk: Desk, who: Who, said: Said) -> None:
    """`/table` opens the group's table and sits down at it; `/table leave`; an admin's `/table close`."""
    if who.chat_kind == "private":
        page = await desk.reader_page(who)
        desk.say(who, View(text=page.t("A table is for a group: say /table there, and two people can begin.")))
        return
    match said.rest.lower():
        case "leave":
            await _leave(desk, who, said)
        case "close":
            await _close_word(desk, who)
        case _:
            await _bring(desk, who, said)


async def _bring(desk: Desk, who: Who, said: Said) -> None:
    brought = await desk.run(
        table.bring,
        who,
        update_id=said.update_id,
        secret=desk.chance(),
        seat_secret=desk.chance(),
        now=desk.clock.now(),
    )
    if brought.unchanged:
        desk.painter.show(desk.table_picture(brought.told.board), doubtful=True)
        desk.sign(who, "👌")
    else:
        desk.show_table(brought.told)


async def _leave(desk: Desk, who: Who, said: Said) -> None:
    now = desk.clock.now()
    try:
        told = await desk.run(table.leave_word, who, update_id=said.update_id, secret=desk.chance(), now=now)
    except REFUSED as refusal:
        _refused(desk, who, refusal)
    else:
        desk.show_table(told)


async def _close_word(desk: Desk, who: Who) -> None:
    async def act(*, admin: bool = True) -> None:
        told = await desk.run(table.close, who, None, admin=admin, secret=desk.chance(), now=desk.clock.now())
        desk.show_table(told)

    try:
        await act(admin=False)
    except NotAdmin:
        await gate.spoken(desk, who, act)
    except REFUSED as refusal:
        _refused(desk, who, refusal)


def _refused(desk: Desk, who: Who, refusal: Exception) -> None:
    """Words about a table are nobody's board: a refusal is a sign (BOARDS rule 6)."""
    if not isinstance(refusal, AlreadyDone):
        desk.sign(who, "🤷")


COMMANDS: Commands = {"table": table_command}


async def thrown(desk: Desk, who: Who, value: int, *, replied: int, update_id: int) -> None:
    """Dice in reply to the bot; *who* names the dice, *replied* the message that they answer."""
    at = replace(who, message_id=replied)
    told = await desk.run(table.cut, at, value, update_id=update_id, now=desk.clock.now())
    if told is None:
        desk.sign(who, "🤷")
        return
    desk.show_table(told)
    desk.sign(who, "👌")


async def word(desk: Desk, who: Who, verb: Verb, *, replied: int, update_id: int) -> bool:
    """A typed word in reply to a table, answered by the picture and a sign; False where the message is no table."""
    at = replace(who, message_id=replied)
    try:
        told = await desk.run(
            table_bets.word, at, verb, update_id=update_id, secret=desk.chance(), now=desk.clock.now()
        )
    except REFUSED as refusal:
        _refused(desk, who, refusal)
        return True
    if told is None:
        return False
    desk.show_table(told)
    desk.sign(who, "👌")
    return True


async def left(desk: Desk, chat_id: int, user_id: int) -> None:
    """Somebody is not in the chat any more."""
    told = await desk.run(table.gone, chat_id, user_id, secret=desk.chance(), now=desk.clock.now())
    if told is not None:
        desk.show_table(told)


async def moved(desk: Desk, chat_id: int) -> None:
    """The group is a supergroup now: its table gets a message there."""
    value = await desk.store.read(table.live_board, chat_id)
    if value is not None and value.place.message_id is None:
        desk.painter.show(desk.table_picture(value))


async def stranded(desk: Desk, chat_id: int) -> None:
    """The bot was removed: nothing is sent, and nobody's bet waits there for ever."""
    await desk.run(table.stranded, chat_id, topic_gone=False, secret=desk.chance(), now=desk.clock.now())


async def rang(desk: Desk, table_id: int) -> None:
    """A table's timer fell due."""
    told = await desk.store.run(table.expire, table_id, secret=desk.chance(), now=desk.clock.now())
    if told is not None:
        desk.show_table(told)
