"""Rule sets stand once, whole, under a number that follows from their content; rounds, nights and chats refer to it."""

from __future__ import annotations

import hashlib
import json

from bot.storage.errors import RuleSetClash
from bot.storage.sql import Sql, one
from core.rules import RuleSet, as_mapping, merged

_REMEMBERED = 512  # rule sets, each way; groups may have tables of their own, and there may be many groups


class RuleSets:
    """
    The number is the start of a hash of the content, so it means the same in every process and after every rollback:
    that makes remembering safe.
    """

    def __init__(self, tx: Sql) -> None:
        self._tx = tx
        self._decoded: dict[int, RuleSet] = {}
        self._encoded: dict[RuleSet, tuple[int, str]] = {}

    def get(self, id_: int) -> RuleSet:
        """The rule set of that number, decoded once per connection while few are in use. Raises LookupError."""
        rules = self._decoded.get(id_)
        if rules is None:
            found = one(self._tx.row("SELECT content FROM rule_sets WHERE id = :id", id=id_))
            if len(self._decoded) >= _REMEMBERED:
                self._decoded.clear()
            rules = self._decoded[id_] = merged(json.loads(found["content"]))
        return rules

    def put(self, rules: RuleSet) -> int:
        """
        The number of *rules*, which are stored unless they are already.

        :raises RuleSetClash: If another rule set has that number.
        """
        encoded = self._encoded.get(rules)
        if encoded is None:
            if len(self._encoded) >= _REMEMBERED:
                self._encoded.clear()
            encoded = self._encoded[rules] = encode(rules)
        id_, content = encoded
        added = self._tx.execute(
            "INSERT INTO rule_sets (id, content) VALUES (:id, :content) ON CONFLICT (id) DO NOTHING",
            id=id_,
            content=content,
        )
        if not added and self.get(id_) != rules:
            raise RuleSetClash(id_)
        return id_


def encode(rules: RuleSet) -> tuple[int, str]:
    """Number (63 bits of SHA-256) and content of a rule set."""
    content = json.dumps(as_mapping(rules), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    digest = hashlib.sha256(content.encode()).digest()
    return int.from_bytes(digest[:8]) >> 1, content
