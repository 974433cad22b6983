"""The store as the other rooms see it: use cases in, answers out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Concatenate, ParamSpec, TypeVar

from bot.storage.tx import Tx

P = ParamSpec("P")
R = TypeVar("R")


class Store(ABC):
    """An open database."""

    shared: ClassVar[bool]
    """Whether other processes may run the bot on it at the same time."""

    @abstractmethod
    async def run(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """
        Run a plain function in one transaction, on the database's thread; its result or its refusal after the COMMIT.

        *use_case* must follow from its arguments and the database alone: it may be run again. Whatever it raises undoes
        what it wrote, and nothing else. Whoever stops waiting before the transaction began takes the use case back;
        later it is committed all the same.

        :raises StorageUnavailable: If it could not be committed; nothing was kept.
        """

    @abstractmethod
    async def read(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """
        Run a plain function that only reads, beside the writers, on one consistent picture of what is committed.

        :raises StorageUnavailable: If the database cannot be read.
        """

    async def jot(self, use_case: Callable[Concatenate[Tx, P], R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """
        As `run`, for what does no harm when the power goes: no disk is waited for, and every statement sees the newest.

        :raises StorageUnavailable: If it could not be committed.
        """
        return await self.run(use_case, *args, **kwargs)

    async def wipe(self) -> None:  # noqa: B027 - PostgreSQL's own vacuum does it
        """Overwrite what was deleted, as far as the database does not do so by itself in its time."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun and let go of the database."""
