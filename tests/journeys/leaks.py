"""Secrets of deals that were sent or logged before their time (DESIGN, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from bot.playground import World
from bot.storage import Tx

_SECRETS = (
    "SELECT 'hand' AS what, id, secret, COALESCE(settled, voided) AS opened FROM rounds WHERE deal IS NULL",
    "SELECT 'hand at a table' AS what, id, secret, COALESCE(settled, voided) AS opened FROM table_rounds",
    "SELECT 'event' AS what, id, secret, closed AS opened FROM events WHERE commitment IS NOT NULL",
)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """A secret, and the moment from which anybody may know it: milliseconds since 1970, None if not yet."""

    what: str
    secret: bytes
    opened: int | None

    def stands_in(self, text: str) -> bool:
        return self.secret.hex() in text or repr(self.secret)[2:-1] in text


def kept(tx: Tx) -> list[Kept]:
    """Every secret there is; the first to open counts where a journey's chance gave two hands the same."""
    rows = [row for sql in _SECRETS for row in tx.rows(sql)]
    rows.sort(key=lambda row: (row["opened"] is None, row["opened"]))
    found: dict[bytes, Kept] = {}
    for row in rows:
        found.setdefault(bytes(row["secret"]), Kept(f"{row['what']} {row['id']}", bytes(row["secret"]), row["opened"]))
    return list(found.values())


def leaks(secrets: Iterable[Kept], world: World, log: Iterable[Json]) -> list[str]:
    """Secrets in calls to Telegram before their time, and in the log at any time."""
    calls = [(float(call["at"]) * 1000, call["method"], "\n".join(_told(call, world))) for call in world.log or ()]
    logged = "\n".join(map(repr, log))
    everything = "\n".join(text for _, _, text in calls)
    found = [f"{each.what} in the log" for each in secrets if each.stands_in(logged)]
    for each in secrets:
        if each.stands_in(everything):
            early = [method for at, method, text in calls if each.stands_in(text) and at < (each.opened or at + 1)]
            found += [f"{each.what} in {method}" for method in early]
    return found


def _told(call: Json, world: World) -> Iterator[str]:
    """What a call says: its fields, and the content of the files that it sends."""
    yield orjson.dumps(call["params"], default=str).decode()
    sent = call["result"] if isinstance(call["result"], dict) else {}
    for file in (sent.get("document"), *sent.get("photo", ())):
        if file and (content := world.content(file["file_id"])):
            yield content.decode("utf-8", "replace")
