"""What Telegram's errors mean for whoever called (BOTAPI section 5, BOARDS section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto

from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, RetryAfter, TelegramError

from bot.transport import NotSent


class Outcome(Enum):
    """What is to be done after a call that failed."""

    DONE = auto()  # it is already so, or nobody waits for it any more
    GONE = auto()  # the message to edit is no more
    LOST = auto()  # the chat cannot be written to until it speaks again
    MOVED = auto()  # the group is a supergroup now
    WAIT = auto()  # not executed; this chat rests
    NOT_SENT = auto()  # no connection: not executed
    UNKNOWN = auto()  # executed or not, nobody knows
    REFUSED = auto()  # our call is wrong; repeating it would change nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An outcome, with Telegram's words for the log and what some outcomes need."""

    outcome: Outcome
    reason: str = ""
    seconds: float = 0.0  # of rest, with WAIT
    chat_id: int = 0  # the new one, with MOVED


_BAD_REQUESTS: tuple[tuple[str, Outcome], ...] = (
    ("message is not modified", Outcome.DONE),
    ("query is too old", Outcome.DONE),
    ("query id is invalid", Outcome.DONE),
    ("query_id_invalid", Outcome.DONE),
    ("message to delete not found", Outcome.DONE),
    ("message can't be deleted", Outcome.DONE),
    ("message to react not found", Outcome.DONE),
    ("reaction_invalid", Outcome.DONE),  # the group does not allow that emoji
    ("message to edit not found", Outcome.GONE),
    ("message can't be edited", Outcome.GONE),
    ("there is no text in the message to edit", Outcome.GONE),
    ("message_id_invalid", Outcome.GONE),
    ("chat not found", Outcome.LOST),
    ("not enough rights", Outcome.LOST),
    ("have no write access", Outcome.LOST),
    ("need administrator rights", Outcome.LOST),
    ("chat_write_forbidden", Outcome.LOST),
    ("chat_restricted", Outcome.LOST),
    ("chat_admin_required", Outcome.LOST),
    ("chat_send_", Outcome.LOST),  # CHAT_SEND_PLAIN_FORBIDDEN and its kin
    ("topic_closed", Outcome.LOST),
    ("topic_deleted", Outcome.LOST),
    ("message thread not found", Outcome.LOST),
    ("peer_id_invalid", Outcome.LOST),
    ("user_is_blocked", Outcome.LOST),
    ("input_user_deactivated", Outcome.LOST),
    ("group chat was upgraded", Outcome.LOST),  # without the new id: the service message will tell
)


def judge(error: TelegramError) -> Verdict:
    """The outcome of a failed call; PTB lower-cases the texts of 400, so they are compared in lower case."""
    match error:
        case ChatMigrated():
            return Verdict(outcome=Outcome.MOVED, chat_id=error.new_chat_id, reason="migrated")
        case RetryAfter():
            wait = error.retry_after
            seconds = wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
            return Verdict(outcome=Outcome.WAIT, seconds=seconds, reason="too many requests")
        case Forbidden():
            return Verdict(outcome=Outcome.LOST, reason=error.message)
        case BadRequest():
            text = error.message.lower()
            outcome = next((known for words, known in _BAD_REQUESTS if words in text), Outcome.REFUSED)
            return Verdict(outcome=outcome, reason=error.message)
    kinds = ((InvalidToken, Outcome.REFUSED), (NotSent, Outcome.NOT_SENT), (TelegramError, Outcome.UNKNOWN))
    return Verdict(outcome=next(known for kind, known in kinds if isinstance(error, kind)), reason=error.message)
