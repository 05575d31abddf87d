"""Calls the generated client as a test asks: a line of JSON in, a line of JSON out."""

import json
import sys

sys.path.insert(0, sys.argv[1])
from platbook_api import Platbook, PlatbookError  # noqa: E402

platbook = Platbook(sys.argv[2], sys.argv[3], retries=4)
for line in sys.stdin:
    asked = json.loads(line)
    before = platbook.tokens
    try:
        method = getattr(platbook, asked["method"])
        data = method(**asked["input"])
        if asked["method"].startswith("each_"):
            data = list(data)
        answer = {"data": data, "last": platbook.last._asdict()}
    except PlatbookError as error:
        answer = {"error": {name: getattr(error, name) for name in ("code", "message", "status", "details", "request_id", "retry_after")}}
    print(json.dumps({**answer, "tokens": platbook.tokens - before}), flush=True)
