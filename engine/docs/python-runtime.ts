/** What every `platbook_api.py` has, whatever the operations are: the request, its repeats, its errors. */

/** The head of the file. */
export const pythonImports = `from __future__ import annotations

import http.client
import json
import os
import random
import time
import uuid
from enum import Enum
from typing import TYPE_CHECKING, Any, Dict, Iterator, Literal, Mapping, NamedTuple, Optional, Sequence, TypedDict, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`;

/** Errors, what an answer says beside its data, and the request itself. \`_Client\` is the base of the typed class. */
export const pythonClient = (address: string, base: string): string => `class PlatbookError(Exception):
    """An error of the API, or of the way to it.

    code: as the API names it, or "unreachable": no answer came, "foreign_address": a page lies on another server.
    status: of HTTP; 0 without an answer.
    details: with "validation_error", each rejected field with its messages; "non_field_errors" names several together.
    request_id: finds the request in the log of Platbook; "" without an answer.
    retry_after: with "rate_limited", the seconds after which to ask again.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        details: Optional[Dict[str, list[str]]] = None,
        request_id: str = "",
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.details: Dict[str, list[str]] = details or {}
        self.request_id = request_id
        self.retry_after = retry_after


class Answered(NamedTuple):
    """What an answer says beside its data."""

    status: int
    tokens: int
    request_id: str
    notice: str


class _Absent(Enum):
    ABSENT = 0


#: Stands for "leave it as it is" where None has a meaning of its own.
ABSENT = _Absent.ABSENT


class _NoRedirect(HTTPRedirectHandler):
    """The key goes to the given address alone."""

    def redirect_request(self, *_given: Any, **_more: Any) -> None:
        return None


def _part(value: object) -> str:
    return quote(str(value), safe="")


def _text(value: object) -> object:
    return ("true" if value else "false") if isinstance(value, bool) else value


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(text or ""))
    except ValueError:
        return None


def _error(failed: HTTPError) -> PlatbookError:
    try:
        found = json.loads(failed.read())["error"]
        code, message = str(found["code"]), str(found["message"])
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        found, code, message = {}, "unexpected", f"HTTP {failed.code} {failed.reason}"
    return PlatbookError(
        code,
        message,
        status=failed.code,
        details=found.get("details"),
        request_id=str(found.get("request_id") or failed.headers.get("X-Request-Id") or ""),
        retry_after=_seconds(failed.headers.get("Retry-After")),
    )


class _Client:
    """Asks one address with one key.

    address: as Platbook prints it; else PLATBOOK_ADDRESS of the environment, else ${address}.
    key: "plat_…", made by "platbook keys create"; else PLATBOOK_KEY of the environment. It is kept in memory only.
    retries: how often a request is sent again that was refused for its rate, or whose connection broke.
    timeout: seconds without a byte after which a connection counts as broken.
    longest_wait: seconds; a longer Retry-After is raised as an error instead of slept.
    """

    def __init__(
        self,
        address: Optional[str] = None,
        key: Optional[str] = None,
        *,
        retries: int = 5,
        timeout: float = 60.0,
        longest_wait: float = 120.0,
    ) -> None:
        self.address = (address or os.environ.get("PLATBOOK_ADDRESS") or "${address}").rstrip("/")
        if urlsplit(self.address).scheme not in ("http", "https"):
            raise ValueError(f"expected an address like ${address}, found {self.address!r}")
        self._key = key or os.environ.get("PLATBOOK_KEY") or ""
        if not self._key:
            raise ValueError('a key is needed: Platbook(key="plat_…") or PLATBOOK_KEY; "platbook keys create" makes one')
        self.retries = retries
        self.timeout = timeout
        self.longest_wait = longest_wait
        #: Tokens charged for the answers of this object.
        self.tokens = 0
        #: Of the latest answer; None before the first.
        self.last: Optional[Answered] = None
        # No proxy of the environment, which urllib would obey; no redirect.
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirect)

    def __repr__(self) -> str:
        return f"Platbook({self.address!r})"

    def _call(
        self,
        method: str,
        path: str,
        *,
        repeatable: bool,
        query: Mapping[str, object],
        body: Optional[Mapping[str, object]] = None,
        nullable: Sequence[str] = (),
    ) -> Any:
        asked = [(name, value) for name, value in query.items() if value is not None and value is not ABSENT]
        pairs = [
            (name, _text(one))
            for name, value in asked
            for one in (value if isinstance(value, (list, tuple)) else [value])
        ]
        target = f"{self.address}${base}{path}" + (f"?{urlencode(pairs)}" if pairs else "")
        return self._send(method, target, repeatable, self._json(body, nullable))

    @staticmethod
    def _json(body: Optional[Mapping[str, object]], nullable: Sequence[str]) -> Optional[bytes]:
        if body is None:
            return None
        given = {
            name: list(value) if isinstance(value, (tuple, set, frozenset)) else value
            for name, value in body.items()
            if value is not ABSENT and (value is not None or name in nullable)
        }
        return json.dumps(given).encode()

    def _each(
        self,
        method: str,
        path: str,
        *,
        repeatable: bool,
        query: Mapping[str, object],
        body: Optional[Mapping[str, object]] = None,
        nullable: Sequence[str] = (),
    ) -> Iterator[Any]:
        answer = self._call(method, path, repeatable=repeatable, query=query, body=body, nullable=nullable)
        while True:
            yield from answer["results"]
            following = answer["next"]
            if following is None:
                return
            if not str(following).startswith(f"{self.address}/"):
                raise PlatbookError("foreign_address", f"the next page lies at another address: {following}")
            answer = self._send(method, str(following), repeatable, self._json(body, nullable))

    def _send(self, method: str, target: str, repeatable: bool, body: Optional[bytes]) -> Any:
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if repeatable:
            # One for all attempts: an answer that was lost on its way is not charged again.
            headers["Idempotency-Key"] = str(uuid.uuid4())
        for attempt in range(self.retries + 1):
            try:
                with self._opener.open(
                    Request(target, data=body, headers=headers, method=method), timeout=self.timeout
                ) as response:
                    text = response.read()
                    return self._taken(response.status, response.headers, text)
            except HTTPError as failed:
                error = _error(failed)
                failed.close()
                wait = error.retry_after if error.retry_after is not None else 1.0
                if error.code != "rate_limited" or wait > self.longest_wait or attempt == self.retries:
                    raise error from None
            except (OSError, http.client.HTTPException) as broken:
                reason = broken.reason if isinstance(broken, URLError) else broken
                never_arrived = isinstance(reason, ConnectionRefusedError)
                if attempt == self.retries or not (repeatable or method == "GET" or never_arrived):
                    words = "" if never_arrived else "; it may have been carried out"
                    raise PlatbookError("unreachable", f"{self.address} did not answer ({reason}){words}") from broken
                wait = 0.1 * 2**attempt
            time.sleep(wait + random.uniform(0, 0.05))
        raise AssertionError("the last attempt returns or raises")

    def _taken(self, status: int, headers: Mapping[str, str], text: bytes) -> Any:
        tokens = int(headers.get("X-Tokens-Used") or 0)
        self.tokens += tokens
        self.last = Answered(
            status, tokens, headers.get("X-Request-Id") or "", headers.get("X-Platbook-Notice") or ""
        )
        return json.loads(text) if text else None
`;
