"""Bodies of requests: forms, multipart forms with files, and JSON. Written here, since no more is needed than this."""

import re
from email.message import Message as Headers
from email.parser import BytesHeaderParser
from urllib.parse import parse_qsl

import orjson

from bot.playground.calls import Upload
from bot.playground.records import Json
from bot.playground.refusals import bad_request

_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)


def read_query(raw: bytes) -> Json:
    """Parameters of an address or a form. Raises ApiError 400 for what is not UTF-8."""
    try:
        return dict(parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict"))
    except (UnicodeDecodeError, ValueError):
        raise bad_request("strings must be encoded in UTF-8") from None


def read_body(content_type: str, body: bytes) -> tuple[Json, dict[str, Upload]]:
    """Parameters and files of a body, whatever its kind."""
    kind = content_type.partition(";")[0].strip().lower()
    if not body:
        return {}, {}
    if kind == "application/json":
        try:
            found = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise bad_request("can't parse JSON object") from None
        if not isinstance(found, dict):
            raise bad_request("can't parse JSON object")
        return found, {}
    if kind == "multipart/form-data":
        return _multipart(content_type, body)
    return read_query(body), {}


def _multipart(content_type: str, body: bytes) -> tuple[Json, dict[str, Upload]]:
    boundary = _BOUNDARY.search(content_type)
    if boundary is None:
        raise bad_request("boundary not found")
    params: Json = {}
    uploads: dict[str, Upload] = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.group(1).encode())[1:]:
        if part.startswith(b"--"):
            break
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        headers = BytesHeaderParser().parsebytes(head + b"\r\n\r\n")
        name = _parameter(headers, "name")
        file_name = _parameter(headers, "filename")
        if file_name:
            mime = headers.get_content_type() if "content-type" in headers else "application/octet-stream"
            uploads[name] = Upload(name=file_name, mime=mime, content=content)
        else:
            try:
                params[name] = content.decode()
            except UnicodeDecodeError:
                raise bad_request("strings must be encoded in UTF-8") from None
    return params, uploads


def _parameter(headers: Headers, name: str) -> str:
    value = headers.get_param(name, "", header="content-disposition")
    return value if isinstance(value, str) else value[2]
