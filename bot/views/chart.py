"""A night as a picture: the chips after each hand. Digits only; the words stand in the caption."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

WIDTH, HEIGHT = 800, 400  # pixels of the picture
_SCALE = 2  # drawn larger, then made smaller: smooth lines
_TOP, _BOTTOM = 34, 44  # margins, pixels
_DIGIT, _LARGE_DIGIT = 11, 15  # pixels, about
_COLOURS = 256
_MOST_POINTS = 700  # more of them than columns show nothing
_TICKS = 5
_NIGHT, _GRID, _LABEL = "#17212b", "#2f3d4a", "#c9d4de"
_LINE, _BUY_IN, _UP, _DOWN = "#6ab3f3", "#8a98a5", "#6fd08c", "#ff8a80"


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a hand's number and its chips lie on the canvas."""

    hands: int
    low: int  # chips
    high: int  # chips
    left: int  # margin, pixels
    right: int  # margin, pixels

    def x(self, hand: float) -> float:
        width = WIDTH - self.left - self.right
        return _SCALE * (self.left + width * hand / self.hands)

    def y(self, chips: float) -> float:
        height = HEIGHT - _TOP - _BOTTOM
        return _SCALE * (_TOP + height * (self.high - chips) / (self.high - self.low))


def night_chart(path: Sequence[int]) -> bytes:
    """
    The chips at a night's start and after each hand as a PNG of 800 x 400, readable in a dark and in a light theme.

    The dashed line is the buy-in, path[0]; the dot and its number are where the night stands.
    """
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - loads only where a picture is asked for

    image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), _NIGHT)
    draw = ImageDraw.Draw(image)
    font, large = ImageFont.load_default(17 * _SCALE), ImageFont.load_default(24 * _SCALE)
    chips_ticks = ticks(min(path), max(path)) if min(path) < max(path) else (path[0] - 1, path[0], path[0] + 1)
    frame = _Frame(
        hands=max(len(path) - 1, 1),
        low=min(chips_ticks[0], *path),
        high=max(chips_ticks[-1], *path),
        left=24 + _DIGIT * len(str(chips_ticks[-1])),
        right=36 + _LARGE_DIGIT * len(str(path[-1])),
    )
    _grid(draw, frame, chips_ticks, font)
    _buy_in(draw, frame, path[0])
    _path(draw, frame, path, large)
    small = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).quantize(_COLOURS)
    written = io.BytesIO()
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


def ticks(low: int, high: int) -> tuple[int, ...]:
    """Round numbers from at most *low* to at least *high*, about five of them, never fewer than two."""
    room = max(high - low, 1)
    step = 1
    while room > step * _TICKS:
        step = _next_round(step)
    first = low // step * step
    last = -(-high // step) * step
    return tuple(range(first, max(last, first + step) + 1, step))


def _next_round(step: int) -> int:
    """1, 2, 5, 10, 20, 50, …"""
    return step * 5 // 2 if str(step).startswith("2") else step * 2


def _grid(draw: ImageDraw, frame: _Frame, chips_ticks: Sequence[int], font: ImageFont | FreeTypeFont) -> None:
    left, right, bottom = frame.x(0), frame.x(frame.hands), frame.y(frame.low)
    for chips in chips_ticks:
        y = frame.y(chips)
        draw.line((left, y, right, y), fill=_GRID, width=_SCALE)
        draw.text((left - 10 * _SCALE, y), str(chips), fill=_LABEL, font=font, anchor="rm")
    for hand in ticks(0, frame.hands):
        if hand <= frame.hands:
            draw.text((frame.x(hand), bottom + 10 * _SCALE), str(hand), fill=_LABEL, font=font, anchor="mt")


def _buy_in(draw: ImageDraw, frame: _Frame, chips: int) -> None:
    y, dash = frame.y(chips), 8 * _SCALE
    x, right = frame.x(0), frame.x(frame.hands)
    while x < right:
        draw.line((x, y, min(x + dash, right), y), fill=_BUY_IN, width=2 * _SCALE)
        x += 2 * dash


def _path(draw: ImageDraw, frame: _Frame, path: Sequence[int], font: ImageFont | FreeTypeFont) -> None:
    points = [(frame.x(hand), frame.y(path[hand])) for hand in _shown(len(path))]
    for one, other in pairwise(points):
        draw.line((*one, *other), fill=_LINE, width=3 * _SCALE, joint="curve")
    x, y = frame.x(len(path) - 1), frame.y(path[-1])
    colour = _UP if path[-1] > path[0] else _DOWN if path[-1] < path[0] else _LABEL
    size = 6 * _SCALE
    draw.ellipse((x - size, y - size, x + size, y + size), fill=colour)
    draw.text((x + 14 * _SCALE, y), str(path[-1]), fill=colour, font=font, anchor="lm")


def _shown(points: int) -> Sequence[int]:
    """Which points of a long path are drawn: all, or evenly some, the first and the last among them."""
    if points <= _MOST_POINTS:
        return range(points)
    return [place * (points - 1) // (_MOST_POINTS - 1) for place in range(_MOST_POINTS)]
