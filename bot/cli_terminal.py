"""What the operator's commands share, without typer: settings, one sentence for a failure, progress on a terminal."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from bot.settings import Settings


def fail(sentence: str, error: Exception | None = None, *, as_json: bool = False) -> NoReturn:
    """Say why, and end with status 1; whoever reads JSON finds it on standard output, as the referee's are."""
    if as_json:
        print(json.dumps({"error": {"type": _kind(error), "message": sentence}}), flush=True)
    else:
        print(sentence, file=sys.stderr, flush=True)
    raise SystemExit(1)


def _kind(error: Exception | None) -> str:
    """`bad_setting` for a BadSetting."""
    name = type(error).__name__ if error is not None else "Failed"
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def settings(*, as_json: bool = False) -> Settings:
    """The settings, or one sentence about the first bad one."""
    from bot.settings import BadSetting, read_settings

    try:
        return read_settings()
    except BadSetting as error:
        fail(str(error), error, as_json=as_json)


@contextmanager
def sentences(*, as_json: bool = False) -> Iterator[None]:
    """A database or a disk that does not do what was asked ends in one sentence."""
    from bot.storage import StorageError
    from bot.storage.explained import in_words

    try:
        yield
    except StorageError as error:
        fail(in_words(error), error, as_json=as_json)
    except OSError as error:
        fail(f"{error.filename or 'The file'} cannot be used: {error.strerror}.", error, as_json=as_json)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error where that is a terminal; call what it gives with every step's size."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda rows: bar.advance(task, rows)
