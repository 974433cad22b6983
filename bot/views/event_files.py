"""An event as a file that `q64 verify` takes: every deal once, then one's own hands."""

from __future__ import annotations

import json

from bot.facts import Event, Round
from bot.views.transcripts import transcript
from core.fair import opened, transcript_mapping


def event_file(event: Event, rounds: tuple[Round, ...]) -> tuple[str, bytes]:
    """
    A file's name and content, a transcript a line.

    :raises ValueError: Before the event's end: its secret stays where it is.
    """
    if event.closed is None:
        raise ValueError(event.id)
    deals = [transcript_mapping(opened(event.secret, (event.name,), number)) for number in event.deals]
    lines = [*deals, *map(transcript, rounds)]
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return f"{event.name.replace('/', '-')}.jsonl", content.encode()
