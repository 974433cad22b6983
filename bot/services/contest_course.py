"""A contest from its start to its end, whoever ends it: once (F112, F113)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.events import Standings, Terms, checked
from bot.facts import Event, EventKind, Who
from bot.refusals import AlreadyDone, ContestRuns, EventOver, GroupsOnly, NoContest, NotYourDoor
from bot.services import events
from bot.services.manners import enter as enter_chat
from bot.services.manners import no_board
from bot.services.outings import Came, come, end_all
from bot.services.seating import arrive, near
from bot.services.standings import final, standings
from bot.storage import EventBoard, Tx
from core import contests, fair
from core.contests import BestOfNights, Matchpoints, SameDeals

END = "contest"  # timer: its subject is the contest
POSTS = "posts"  # timer: what a chat is to be told; its subject is the chat


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A contest with the message that shows it."""

    standings: Standings
    board: EventBoard
    unchanged: bool = False  # near and as it was: it needs no new picture


def start(tx: Tx, who: Who, terms: Terms, *, chance: bytes, now: datetime) -> Shown:
    """
    A contest begins at once, by the chat's rules of this moment; the tapped message shows it from now on.

    *chance* is 32 bytes nobody can foresee: the secret of the same deals, and the code of the door, follow from it.

    :raises GroupsOnly: In a private chat.
    :raises DeadKey: If a board stands in the tapped message.
    :raises ContestRuns: If one is under way.
    :raises RuleError: If such a contest cannot be.
    """
    _, chat = enter_chat(tx, who, now=now)
    if chat.private:
        raise GroupsOnly
    kind = checked(terms, chat.rules)
    shared = not isinstance(kind, BestOfNights)
    secret = hashlib.sha256(b"contest/" + chance).digest() if shared else b""
    wager = kind.wager if isinstance(kind, Matchpoints) else None
    event = tx.events.add(
        kind=terms.kind,
        chat_id=chat.id,
        rules=chat.rules,
        nights=kind.nights if isinstance(kind, BestOfNights) else 1,
        hands=terms.hands,
        wager=wager,
        buy_in=max(chat.rules.buy_in, terms.hands * wager.need if wager else 0),
        secret=secret,
        commitment=fair.commitment(secret) if shared else "",
        opens=now,
        ends=now + timedelta(hours=terms.hours),
        now=now,
    )
    if event is None:
        raise ContestRuns
    no_board(tx, who)
    if isinstance(kind, SameDeals | Matchpoints):
        drawn = contests.deals_of(kind, secret, event.id, chat.rules)
        tx.events.set_deals(event.id, tuple(deal.number for deal in drawn))
    code = events.new_code(chance, event.id)
    board = tx.events.open_board(event.id, chat.id, thread_id=who.thread_id, message_id=who.message_id, code=code)
    tx.timers.set(END, event.id, event.ends)
    return _shown(tx, event.id, board)


def _shown(tx: Tx, event_id: int, board: EventBoard, *, unchanged: bool = False) -> Shown:
    event = tx.events.get(event_id)
    found = standings(tx, event) if event is not None else None
    if found is None:
        raise NoContest
    return Shown(standings=found, board=board, unchanged=unchanged)


def bring(tx: Tx, who: Who, *, update_id: int, now: datetime) -> Shown:
    """
    `/contest` where one is under way: its message, below if it was far up.

    :raises NoContest: If none is.
    :raises AlreadyDone: If this update was worked on before.
    """
    event = tx.events.running(who.chat_id)
    board = tx.events.board(event.id, who.chat_id) if event is not None else None
    if event is None or board is None:
        raise NoContest
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    if near(board.message_id, who):
        return _shown(tx, event.id, board, unchanged=True)
    board = replace(
        board,
        thread_id=who.thread_id,
        message_id=None,
        old_message_id=board.message_id or board.old_message_id,
        wanted=board.wanted + 1,
    )
    return _shown(tx, event.id, tx.events.put_board(board))


def picture(tx: Tx, board_id: int, *, now: datetime) -> Shown | None:
    """What a contest's message shows from now on; None if there is no such message."""
    board = tx.events.board_by_id(board_id)
    event = tx.events.get(board.event_id) if board is not None else None
    if board is None or event is None or event.kind is EventKind.DAILY:
        return None
    tx.events.show(board_id, now)
    found = standings(tx, event)
    return Shown(standings=found, board=board) if found is not None else None


# Into it


def group_of(tx: Tx, code: str) -> int:
    """
    The group whose members a code lets in, by its chat's number.

    :raises NotYourDoor: If there is no such code.
    """
    board = tx.events.board_by_code(code)
    if board is None:
        raise NotYourDoor
    return board.chat_id


def enter(tx: Tx, who: Who, code: str, *, update_id: int, secret: bytes, now: datetime) -> Came:
    """
    Through the door of a contest or a day: one's board there comes down in the private chat.

    :raises NotYourDoor: If there is no such code.
    :raises EventOver: From the event's stated end on.
    :raises AlreadyDone: If this update was worked on before.
    """
    if not tx.marks.first(update_id, now=now):
        raise AlreadyDone
    board = tx.events.board_by_code(code)
    event = tx.events.get(board.event_id) if board is not None else None
    if board is None or event is None:
        raise NotYourDoor
    person, _ = arrive(tx, who, now=now)
    if not person.private:
        person = replace(person, private=True)
        tx.people.put(person)
    tx.seats.open(board.chat_id, person.id, now=now)  # by which the group's messages know who is there, and who left
    return come(tx, event, person, who, secret=secret, now=now)


# Its end


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A contest that ended just now; the pictures that changed by that."""

    chat_id: int
    boards: tuple[int, ...]  # of people
    event_boards: tuple[int, ...]


def end(tx: Tx, event_id: int, *, by: int | None = None, call_off: bool = False, now: datetime) -> Closed:
    """
    The one end of a contest: by its timer (*by* none), or by an admin before (0: one who stays anonymous).

    Nights under way count as they stand. The result is kept and is to be told once.

    :raises EventOver: If somebody was first.
    """
    event = tx.events.get(event_id)
    if event is None or event.chat_id is None or (by is None and now < event.ends):
        raise EventOver
    if not tx.events.close(event.id, called_off=call_off, by=by or 0, now=now):
        raise EventOver
    boards = end_all(tx, event, now=now)
    if not call_off:
        for result in final(tx, event):
            tx.events.add_result(event.id, result)
    tx.timers.drop(END, event.id)
    chat = tx.chats.get(event.chat_id)
    own = tx.events.boards(event.id)
    for board in own:
        tx.events.want(board.id)
        tx.timers.drop(events.STANDINGS, board.id)
    if chat is not None and chat.active:
        thread = own[0].thread_id if own else None
        body = json.dumps({"contest": event.id})
        if tx.posts.add(f"contest:{event.id}:end", chat.id, thread, body, now):
            tx.timers.plan(POSTS, chat.id, events.after_quiet(chat, now))
    return Closed(chat_id=event.chat_id, boards=boards, event_boards=tuple(board.id for board in own))


def ask_to_close(tx: Tx, who: Who) -> Event:
    """
    `/contest end` and `/contest cancel`: which one.

    :raises NoContest: If none is under way.
    """
    event = tx.events.running(who.chat_id)
    if event is None:
        raise NoContest
    return event


def close_by_admin(tx: Tx, who: Who, event_id: int, *, call_off: bool, hidden: bool, now: datetime) -> Closed:
    """
    Yes, end it, or call it off.

    :raises NoContest: For a contest of another chat.
    :raises EventOver: For one that is over; from the stated end on nobody takes a result away any more.
    """
    event = tx.events.get(event_id)
    if event is None or event.chat_id != who.chat_id:
        raise NoContest
    if now >= event.ends:
        raise EventOver
    enter_chat(tx, who, now=now)
    return end(tx, event_id, by=0 if hidden or who.as_chat else who.user_id, call_off=call_off, now=now)
