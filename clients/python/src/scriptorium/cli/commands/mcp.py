"""The command `mcp`."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from ..._sync.client import Scriptorium
from ...errors import ScriptoriumError
from ..command import Command, CommandContext
from ..exit_codes import Exit

_SERVER_ERROR = -32_000
"""The error of JSON-RPC for a message that could not be passed on."""

_MAX_CONCURRENT = 8
"""The maximum number of calls at once. A slow call does not delay the others."""

_NOTIFICATION = object()


def _serve(call: CommandContext) -> int:
    lock = Lock()

    def pass_on(message: str) -> None:
        answer = _send(call.client, message)
        # Notifications have no answer.
        if answer:
            with lock:
                sys.stdout.write(f"{answer}\n")
                sys.stdout.flush()

    with ThreadPoolExecutor(_MAX_CONCURRENT) as pool:
        pending = [pool.submit(pass_on, line) for line in sys.stdin if line.strip()]
    for one in pending:
        one.result()
    return Exit.SUCCESS


def _send(client: Scriptorium, message: str) -> str:
    try:
        accept = "application/json, text/event-stream"
        return client.transport.post("/mcp", message.encode(), accept=accept).decode()
    except ScriptoriumError as error:
        identifier = _id_of(message)
        if identifier is _NOTIFICATION:
            return ""
        failure = {"code": _SERVER_ERROR, "message": str(error)}
        return json.dumps({"jsonrpc": "2.0", "id": identifier, "error": failure})


def _id_of(message: str) -> object:
    """The id of a message; None if the message cannot be read."""
    try:
        value = json.loads(message)
    except ValueError:
        return None
    return value["id"] if isinstance(value, dict) and "id" in value else _NOTIFICATION


MCP = Command(
    name="mcp",
    summary="Serve the project to a language model, over the Model Context Protocol on stdio.",
    usage="",
    arity=(0, 0),
    help="Chat clients and editors start it. Its tools are those that the scopes of the key allow.",
    examples=("mcp", "mcp --key-file reader.key"),
    run=_serve,
)
