"""The messages of boards, tables and events, by the painter's numbers: where each stands, how new its picture is."""
# ruff: noqa: S608 - what is built in are this module's own names, never a value

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.storage.events import event_board, event_board_id
from bot.storage.sql import Sql
from bot.tables import board_of, table_of

_KINDS: Final = ("boards", "tables", "event_boards")
_LIVE: Final = {"boards": " AND retired = 0"}
_STANDING: Final = {"boards": " AND retired = 0", "tables": " AND ended IS NULL", "event_boards": ""}
_UNPAINTED: Final = "painted < wanted OR old_message_id IS NOT NULL"  # the words of the partial indexes
# Boards of a chat that cannot be written to stay unpainted, maybe for ever: they may not keep others from their turn.
_LOST: Final = "EXISTS (SELECT 1 FROM chats c WHERE c.id = chat_id AND c.active = 0)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpainted:
    """A board whose picture is old, or whose old message has keys."""

    board: int  # the painter's number
    chat_id: int
    old_message_id: int | None
    wanted: int
    painted: int

    @property
    def outdated(self) -> bool:
        """Whether the picture is old; else there are only keys to take off."""
        return self.painted < self.wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is stored of a board while nobody else can paint it."""

    chat_id: int
    message_id: int | None
    wanted: int
    painted: int


class Messages:
    """What the painter reports and asks; what is wanted, the boards' own shelves say."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def sent(self, board: int, *, chat_id: int, message_id: int, version: int) -> bool:
        """
        A board stands in a new message, which shows this version; from a retired one the keys are to go.

        False if it is in another chat by now, where the number is another message's, or is no more.
        """
        kind, number = _kind_of(board)
        stands = self._tx.execute(
            f"UPDATE {kind} SET message_id = :message, painted = CASE WHEN painted < :version THEN :version"
            f" ELSE painted END WHERE id = :id AND chat_id = :chat{_LIVE.get(kind, '')}",
            id=number,
            chat=chat_id,
            message=message_id,
            version=version,
        )
        if not stands and kind == "boards":
            stands = self._tx.execute(
                "UPDATE boards SET old_message_id = :message WHERE id = :id AND chat_id = :chat AND retired = 1",
                id=number,
                chat=chat_id,
                message=message_id,
            )
        return bool(stands)

    def lives(self, chat_id: int, message_id: int) -> bool:
        """Whether a live board, a live table or an event stands in a message."""
        return any(
            self._tx.row(
                f"SELECT id FROM {kind} WHERE chat_id = :chat AND message_id = :message{ends}",
                chat=chat_id,
                message=message_id,
            )
            for kind, ends in _STANDING.items()
        )

    def painted(self, versions: Mapping[int, int]) -> None:
        """Which version each board shows by now; an older report never lowers a newer one."""
        for board, version in versions.items():
            kind, number = _kind_of(board)
            self._tx.execute(
                f"UPDATE {kind} SET painted = :version WHERE id = :id AND painted < :version{_LIVE.get(kind, '')}",
                id=number,
                version=version,
            )

    def keys_taken(self, board: int, message_id: int) -> None:
        """The old message of a board has no keys any more."""
        kind, number = _kind_of(board)
        self._tx.execute(
            f"UPDATE {kind} SET old_message_id = NULL WHERE id = :id AND old_message_id = :message",
            id=number,
            message=message_id,
        )

    def unpainted(self, most: int) -> list[Unpainted]:
        """Of each kind the first *most* with an old picture or old keys; those in chats that are lost come last."""
        return [
            Unpainted(
                board=_board_at(kind, row["id"]),
                chat_id=row["chat_id"],
                old_message_id=row["old_message_id"],
                wanted=row["wanted"],
                painted=row["painted"],
            )
            for kind in _KINDS
            for row in self._tx.rows(
                f"SELECT id, chat_id, old_message_id, wanted, painted FROM {kind} WHERE {_UNPAINTED}"
                f" ORDER BY {_LOST}, id LIMIT :most",
                most=most,
            )
        ]

    # As arrays, since only PostgreSQL has more than one process, and only it is asked.

    def painted_at_once(self, versions: Mapping[int, int]) -> None:
        """As painted(), with a statement for all of one kind."""
        for kind, numbers in _by_kind(versions).items():
            self._tx.execute(
                f"UPDATE {kind} SET painted = v.version FROM unnest(CAST(:ids AS bigint[]), CAST(:shown AS bigint[]))"
                f" AS v (id, version) WHERE {kind}.id = v.id AND {kind}.painted < v.version{_LIVE.get(kind, '')}",
                ids=[*numbers],
                shown=[versions[board] for board in numbers.values()],
            )

    def standings(self, boards: Iterable[int]) -> dict[int, Standing]:
        """What is stored of these boards; those that are not there are left out."""
        found: dict[int, Standing] = {}
        for kind, numbers in _by_kind(boards).items():
            for row in self._tx.rows(
                f"SELECT id, chat_id, message_id, wanted, painted FROM {kind} WHERE id = ANY(CAST(:ids AS bigint[]))",
                ids=[*numbers],
            ):
                found[numbers[row["id"]]] = Standing(
                    chat_id=row["chat_id"],
                    message_id=row["message_id"],
                    wanted=row["wanted"],
                    painted=row["painted"],
                )
        return found


def _kind_of(board: int) -> tuple[str, int]:
    """The table in which a board of the painter's stands, and its number there."""
    if (event := event_board_id(board)) is not None:
        return "event_boards", event
    table = table_of(board)
    return ("boards", board) if table is None else ("tables", table)


def _board_at(kind: str, number: int) -> int:
    """The painter's number of what stands there: what _kind_of() takes apart."""
    if kind == "event_boards":
        return event_board(number)
    return number if kind == "boards" else board_of(number)


def _by_kind(boards: Iterable[int]) -> dict[str, dict[int, int]]:
    """By table and its own number, the painter's."""
    kinds: dict[str, dict[int, int]] = {}
    for board in sorted(boards):
        kind, number = _kind_of(board)
        kinds.setdefault(kind, {})[number] = board
    return kinds
