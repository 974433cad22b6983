"""Everything that is kept, and all the SQL there is: `store.run(use_case, …)` is the one way in."""

from bot.storage.db import open_store
from bot.storage.errors import (
    Conflict,
    NewerSchema,
    NotMigrated,
    Overdrawn,
    Reason,
    RuleSetClash,
    StaleRound,
    StaleTable,
    StorageError,
    StorageUnavailable,
    UnknownDatabase,
)
from bot.storage.events import EventBoard, EventNight, EventResult, event_board_id
from bot.storage.ledger import Account, AccountKind, Entry
from bot.storage.posts import Post
from bot.storage.schema import migrate
from bot.storage.seasons import Champion
from bot.storage.store import Store
from bot.storage.tables import Part
from bot.storage.timers import Timer
from bot.storage.tx import Tx
from bot.storage.version import SchemaState, schema_state

__all__ = [
    "Account",
    "AccountKind",
    "Champion",
    "Conflict",
    "Entry",
    "EventBoard",
    "EventNight",
    "EventResult",
    "NewerSchema",
    "NotMigrated",
    "Overdrawn",
    "Part",
    "Post",
    "Reason",
    "RuleSetClash",
    "SchemaState",
    "StaleRound",
    "StaleTable",
    "StorageError",
    "StorageUnavailable",
    "Store",
    "Timer",
    "Tx",
    "UnknownDatabase",
    "event_board_id",
    "migrate",
    "open_store",
    "schema_state",
]
