"""What the Bot API answers when it will not do a thing, in its own words (Bot API, section 5 of its error texts)."""

from typing import Any

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content"
    " and reply markup of the message"
)


class ApiError(Exception):
    """A refusal: HTTP status, description and, for migrations and limits, parameters."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """The JSON object that a client of the Bot API reads."""
        answer: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = dict(self.parameters)
        return answer


def bad_request(text: str, **parameters: int) -> ApiError:
    """The answer to a call that asks for what cannot be; *parameters* as in the Bot API's ResponseParameters."""
    return ApiError(400, f"Bad Request: {text}", **parameters)


def forbidden(text: str) -> ApiError:
    """The answer to a call that the bot may not make there."""
    return ApiError(403, f"Forbidden: {text}")


def conflict(text: str) -> ApiError:
    """The answer to a getUpdates call beside a webhook or another getUpdates call."""
    return ApiError(409, f"Conflict: {text}")


def too_many_requests(seconds: int) -> ApiError:
    """The answer to calls that come too fast, with the seconds to wait."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
