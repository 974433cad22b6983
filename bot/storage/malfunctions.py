"""Rounds that an operator took back: what was wrong, and the rows as they stood."""

# ruff: noqa: S608 - what is built in are the codec's and this module's own words, never a value

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import orjson

from bot.storage import codec
from bot.storage.instants import to_ms
from bot.storage.sql import Row, Sql, one
from core.betting import NO_WAGER
from core.solo import Betting


class Malfunctions:
    """What an operator's `q64 void` writes: the evidence, and a night with one hand less."""

    def __init__(self, tx: Sql) -> None:
        self._tx = tx

    def keep(self, row: Row, findings: Sequence[str], now: datetime) -> None:
        """Keep the round as it stood; then it is one that was never dealt and never will be."""
        was = {column: _plain(row[column]) for column in _columns(row)}
        self._tx.execute(
            "INSERT INTO malfunctions (round_id, at, findings, evidence) VALUES (:id, :now, :findings, :evidence)",
            id=row["id"],
            now=to_ms(now),
            findings=orjson.dumps([*findings]).decode(),
            evidence=orjson.dumps(was).decode(),
        )
        state = Betting(wager=NO_WAGER)
        columns = codec.columns(state)
        places = ", ".join(f"{column} = :{column}" for column in columns)
        self._tx.execute(
            "UPDATE rounds SET state = :state, words = :words, void = 1, voided = :now, dealt = NULL, settled = NULL,"
            f" given_away = 0, version = version + 1, {places} WHERE id = :id",
            id=row["id"],
            now=to_ms(now),
            state=codec.encode(state),
            words=_words(row["words"]),
            **columns,
        )

    def uncount(self, night_id: int, *, chips: int | None) -> None:
        """One hand less in a night; one that is over has these final chips, and its score if it still counts."""
        self._tx.execute("UPDATE nights SET hands = hands - 1 WHERE id = :id AND hands > 0", id=night_id)
        if chips is not None:
            self._tx.execute(
                "UPDATE nights SET chips = :chips, score ="
                " CASE WHEN hands >= 1 AND ending = 'cashed' THEN CAST(:chips AS BIGINT) END WHERE id = :id",
                id=night_id,
                chips=chips,
            )
            self._relist(one(self._tx.row("SELECT * FROM nights WHERE id = :id", id=night_id)))

    def _relist(self, night: Row) -> None:
        """Lists follow the score; a champion stays one, with the chips that are left, as long as the night counts."""
        self._tx.bests.drop(night["chat_id"])
        crowned = "WHERE chat_id = :chat AND user_id = :user AND reached = :closed"
        whose = {"chat": night["chat_id"], "user": night["user_id"], "closed": night["closed"]}
        if night["score"] is None:
            self._tx.execute(f"DELETE FROM champions {crowned}", **whose)
        else:
            self._tx.execute(f"UPDATE champions SET chips = :score {crowned}", score=night["score"], **whose)


def _columns(row: Row) -> list[str]:
    return [*row.keys()]  # type: ignore[attr-defined]  # both drivers' rows have it


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _words(stored: str) -> str:
    """The words, if they can be read."""
    try:
        return codec.encode_words(codec.decode_words(stored))
    except (ValueError, TypeError):
        return codec.encode_words(("",))
