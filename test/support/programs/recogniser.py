"""A recogniser that speaks /analyze as Presidio's analyzer does, with regular expressions.

Prints its port. PUT /mode changes how it answers; GET /requests returns what it was sent.
"""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATTERNS = {
    "CODENAME": re.compile(r"Bluebird|Projekt Möwe"),
    "ORG": re.compile(r"Harbour Works"),
    "EMOJI": re.compile("\U0001F600\U0001F600"),
    "BODY PART": re.compile(r"left knee"),
}
requests: list[dict] = []
mode = "works"
failures_left = 0


def analyze(text: str, threshold: float) -> list[dict]:
    # Offsets are those of Python: code points.
    return [
        {"entity_type": name, "start": match.start(), "end": match.end(), "score": 0.85}
        for name, pattern in PATTERNS.items()
        for match in pattern.finditer(text)
        if threshold <= 0.85
    ]


BROKEN = {
    "not json": b"<html>",
    "object": b"{}",
    "nan": b'[{"entity_type": "A", "start": 0, "end": 1, "score": NaN}]',
    "null score": b'[{"entity_type": "A", "start": 0, "end": 1, "score": null}]',
    "outside": b'[{"entity_type": "A", "start": 0, "end": 1000000, "score": 1}]',
    "negative": b'[{"entity_type": "A", "start": -1, "end": 1, "score": 1}]',
    "fraction": b'[{"entity_type": "A", "start": 0.5, "end": 1, "score": 1}]',
    "empty range": b'[{"entity_type": "A", "start": 1, "end": 1, "score": 1}]',
    "no type": b'[{"start": 0, "end": 1, "score": 1}]',
    "hostile type": b'[{"entity_type": "A]\\u0000<b>", "start": 0, "end": 1, "score": 1}]',
    "list of null": b"[null]",
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.respond(200, json.dumps(requests).encode())

    def do_PUT(self) -> None:
        global mode, failures_left
        mode = self.read().decode()
        failures_left = 1
        requests.clear()
        self.respond(200, b"{}")

    def do_POST(self) -> None:
        global failures_left
        body = json.loads(self.read())
        requests.append({**body, "authorization": self.headers.get("Authorization")})
        if mode == "hangs":
            self.close_connection = True
            self.rfile.read(1)  # until the client gives up
        elif mode == "redirects":
            self.send_response(307)
            self.send_header("Location", f"http://127.0.0.1:{port}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif mode == "down" or (mode == "fails once" and failures_left > 0):
            failures_left -= 1
            self.respond(503, b'{"error": "secret detail"}')
        elif mode == "rejects":
            self.respond(400, b'{"error": "secret detail"}')
        elif mode == "a million":
            one = b'{"entity_type":"A","start":0,"end":1,"score":1}'
            self.respond(200, b"[" + b",".join([one] * 1_000_000) + b"]")
        elif mode == "many":
            one = b'{"entity_type":"A","start":0,"end":1,"score":1}'
            self.respond(200, b"[" + b",".join([one] * 20_000) + b"]")
        elif mode in BROKEN:
            self.respond(200, BROKEN[mode])
        else:
            findings = analyze(body["text"], body.get("score_threshold") or 0)
            self.respond(200, json.dumps(findings).encode())

    def read(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def respond(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        pass  # clients that give up


server = Server(("127.0.0.1", 0), Handler)
port = server.server_port
print(port, flush=True)
server.serve_forever()
