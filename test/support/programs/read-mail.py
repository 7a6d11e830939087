"""Reads a message from standard input with Python's own reader, and writes what it says as JSON."""
import base64
import json
import sys
from email import message_from_bytes, policy

message = message_from_bytes(sys.stdin.buffer.read(), policy=policy.default)
parts = []
for part in message.walk():
    payload = None if part.is_multipart() else part.get_payload(decode=True)
    parts.append({
        "type": part.get_content_type(),
        "disposition": part.get_content_disposition(),
        "filename": part.get_filename(),
        "fields": [[name, str(value)] for name, value in part.items()],
        "defects": [type(one).__name__ for one in part.defects]
        + [type(one).__name__ for _, value in part.items() for one in getattr(value, "defects", [])],
        "outside": [part.preamble or "", part.epilogue or ""],
        "payload": base64.b64encode(payload or b"").decode(),
    })
json.dump(parts, sys.stdout)
