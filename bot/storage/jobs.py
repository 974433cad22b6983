"""A use case that waits for its transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.storage.tx import Tx


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """What to run, and who waits for it; run on the database's thread, delivered on the loop's."""

    use_case: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    waiter: asyncio.Future[Any]

    def run(self, tx: Tx) -> Outcome:
        """The result or the refusal; both are answers."""
        try:
            return Outcome(result=self.use_case(tx, *self.args, **self.kwargs))
        except BaseException as refusal:  # noqa: BLE001 - whatever it is, the waiter gets it
            return Outcome(refusal=refusal)

    def deliver(self, outcome: Outcome) -> None:
        """Wake the waiter, if there still is one."""
        if self.waiter.done():
            return
        if outcome.refusal is None:
            self.waiter.set_result(outcome.result)
        elif isinstance(outcome.refusal, StopIteration):  # a future does not take it
            self.waiter.set_exception(RuntimeError("use case raised StopIteration"))
        else:
            self.waiter.set_exception(outcome.refusal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a use case: its result, or what it raised."""

    result: Any = None
    refusal: BaseException | None = None
