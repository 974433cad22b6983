"""The playground's pages, each one file, and the headers that keep them to themselves."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_HERE: Final = Path(__file__).parent
_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)

FAVICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#14563d"/>'
    '<rect x="12" y="15" width="25" height="36" rx="4.5" fill="#cfe3d6" transform="rotate(-9 26 34)"/>'
    '<rect x="24" y="14" width="27" height="38" rx="5" fill="#fff"/><path fill="#c8352d" d="M37.5 41c-5-4-9-7.3-9-11.5'
    ' 0-4.5 6.5-6 9-1 2.5-5 9-3.5 9 1 0 4.2-4 7.5-9 11.5z"/></svg>'
)


def policy(html: str) -> str:
    """
    The Content-Security-Policy of a page: its own server, and of what stands inside it only what stood there when
    the server read the file, by SHA-256. What a chat says can therefore never run.
    """
    allowed: dict[str, list[str]] = {"script": [], "style": []}
    for kind, inside in _INLINE.findall(html):
        seal = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        allowed[kind].append(f"'sha256-{seal}'")
    parts = {
        "default-src": ["'none'"],
        "script-src": allowed["script"],
        "style-src": allowed["style"],
        "img-src": ["'self'", "data:", "blob:"],
        "connect-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
    return "; ".join(" ".join([name, *(values or ["'none'"])]) for name, values in parts.items())


def _page(path: str, name: str) -> Route:
    html = (_HERE / name).read_text("utf-8")
    headers = {
        "content-security-policy": policy(html),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cache-control": "no-cache",
    }

    async def answer(_: Request) -> Response:
        return Response(html, media_type="text/html", headers=headers)

    return Route(path, answer, methods=["GET"])


async def _favicon(_: Request) -> Response:
    return Response(FAVICON, media_type="image/svg+xml", headers={"cache-control": "max-age=86400"})


def routes() -> list[Route]:
    """The chat at ``/``, the checker of deals at ``/verify``, and their icon."""
    return [
        _page("/", "page.html"),
        _page("/verify", "verify.html"),
        Route("/favicon.svg", _favicon, methods=["GET"]),
        Route("/favicon.ico", _favicon, methods=["GET"]),
    ]
