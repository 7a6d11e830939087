"""Streams, waiting and resumed uploads, against a server that responds as told."""

from __future__ import annotations

import io
import json
import sys
from types import ModuleType
from typing import Any
from unittest import TestCase, mock

from scriptorium import ConnectionFailedError, Scriptorium, ScriptoriumError
from scriptorium._sync.sse import read_server_sent_events
from scriptorium.progress import UploadBar
from tests.support import Kind, Reply, Server, both, problem, serve

STREAM = (("Content-Type", "text/event-stream"),)


def sse(*messages: tuple[str, str, Any]) -> Reply:
    """A stream of messages: event, id, data."""
    text = "".join(f"event: {a}\nid: {b}\ndata: {json.dumps(c)}\n\n" for a, b, c in messages)
    return Reply(body=f"retry: 1\n\n: ready\n\n{text}".encode(), headers=STREAM)


def job(version: int, state: str) -> dict[str, Any]:
    return {"id": "job_1", "state": state, "version": version, "progress": {"percent": 0}}


def connect(kind: Kind, server: Server, **options: Any) -> Any:
    return kind.client(server.url, "prj_1", "sk_1", **options)


class FakeTest(TestCase):
    def setUp(self) -> None:
        """Waits without waiting."""

        async def wait(seconds: float) -> None:
            """Returns at once."""

        for module in ("transport", "events", "waiting", "upload"):
            for target, sleep in (("_sync", lambda seconds: None), ("_async", wait)):
                patch = mock.patch(f"scriptorium.{target}.{module}.sleep", sleep)
                patch.start()
                self.addCleanup(patch.stop)


class Streams(FakeTest):
    @both
    def test_continue_after_the_last_event(self, kind: Kind) -> None:
        first = sse(("dam.object.created", "c1", {"n": 1}), ("dam.object.created", "c2", {"n": 2}))
        breaks: list[ScriptoriumError] = []
        with serve(first, None, problem(503, "down"), sse(("x", "c3", {"n": 3}))) as server:
            stream = connect(kind, server).events.stream(type=["dam.*"], on_break=breaks.append)
            events = kind.take(stream, 3)
        self.assertEqual([event["n"] for event in events], [1, 2, 3])
        positions = [one.headers.get("last-event-id") for one in server.received]
        self.assertEqual(positions, [None, "c2", "c2", "c2"])
        self.assertEqual([error.status for error in breaks], [0, 503])

    @both
    def test_end_for_the_reason_that_the_service_gives(self, kind: Kind) -> None:
        reason = {"code": "api_key_revoked", "detail": "The key was revoked."}
        with serve(sse(("end", "", reason))) as server:
            with self.assertRaises(ScriptoriumError) as caught:
                kind.take(connect(kind, server).events.stream(), 1)
        self.assertEqual((caught.exception.code, len(server.received)), ("api_key_revoked", 1))

    @both
    def test_fail_at_once_if_there_has_been_no_response(self, kind: Kind) -> None:
        with serve(None) as server:
            with self.assertRaises(ConnectionFailedError):
                kind.take(connect(kind, server, max_retries=1).events.stream(), 1)
        self.assertEqual(len(server.received), 2)

    def test_parse_all_line_ends_and_unknown_fields(self) -> None:
        response = mock.Mock()
        parts = [b"id: 1\r", b"\ndata: a\r\ndata:b\r\n", b"\r\nfoo: x\ndata: \xc3", b"\xa9\r\r", b"retry: no\n\n"]
        response.iter_bytes.return_value = iter(parts)
        read = [(one.data, one.id) for one in read_server_sent_events(response)]
        self.assertEqual(read, [("a\nb", "1"), ("é", "1")])


class Waiting(FakeTest):
    @both
    def test_follow_the_stream_of_a_job_with_reconnects(self, kind: Kind) -> None:
        seen: list[int] = []
        running = sse(("job", "", job(1, "queued")), ("job", "", job(2, "running")))
        more = sse(("job", "", job(2, "running")), ("job", "", job(3, "running")))
        ended = Reply(body=json.dumps(job(4, "failed")).encode())
        with serve(running, more, None, ended) as server:
            done = kind.get(
                connect(kind, server).jobs.wait(
                    "job_1", on_progress=lambda now: seen.append(now["version"])
                )
            )
        self.assertEqual((done["state"], seen), ("failed", [1, 2, 3, 4]))

    @both
    def test_poll_if_streams_are_blocked(self, kind: Kind) -> None:
        replies = [
            Reply(body=json.dumps(job(1, "queued")).encode()),
            Reply(body=json.dumps(job(1, "queued")).encode()),
            Reply(304, b""),
            Reply(body=json.dumps(job(2, "succeeded")).encode()),
        ]
        with serve(*replies) as server:
            done = kind.get(connect(kind, server).jobs.wait("job_1"))
        self.assertEqual(done["version"], 2)
        prefer = [(one.headers.get("prefer"), one.headers.get("if-none-match")) for one in server.received]
        self.assertEqual(prefer, [(None, None)] * 2 + [("wait=20", '"1"')] * 2)


class Uploads(FakeTest):
    @both
    def test_continue_at_the_stored_offset_after_a_lost_response(self, kind: Kind) -> None:
        content = bytes(range(256)) * 8192
        size = len(content)
        record = {"bytes": size, "offset": 1_500_000, "object_id": None}
        stored = {**record, "offset": size, "object_id": "obj_1", "image_id": None, "deduplicated": False}
        offset = (("Upload-Offset", str(size)), ("Object-Id", "obj_1"))
        replies = [
            Reply(201, b"", (("Location", "/v1/uploads/upl_1"),)),
            None,
            Reply(body=json.dumps(record).encode()),
            Reply(204, b"", offset),
            Reply(body=b'{"id": "obj_1"}'),
            Reply(body=json.dumps(stored).encode()),
        ]
        ids: list[str] = []
        with serve(*replies) as server:
            made = kind.get(
                connect(kind, server).objects.upload(
                    io.BytesIO(content), filename="a", tags=["x"], on_upload=ids.append
                )
            )
        self.assertEqual((made["id"], ids), ("obj_1", ["upl_1"]))
        sent = [one for one in server.received if one.method == "PATCH"]
        self.assertEqual([one.headers["upload-offset"] for one in sent], ["0", "1500000"])
        self.assertEqual(sent[1].body, content[1_500_000 : 1_500_000 + 256 * 1024])

    @both
    def test_give_up_on_a_rejected_chunk(self, kind: Kind) -> None:
        created = Reply(201, b"", (("Location", "/v1/uploads/upl_1"),))
        with serve(created, problem(403, "policy_denied")) as server:
            with self.assertRaises(ScriptoriumError) as caught:
                kind.get(connect(kind, server).objects.upload(b"a", filename="a", tags=["x"]))
        self.assertEqual((caught.exception.code, len(server.received)), ("policy_denied", 2))


class Progress(TestCase):
    def show(self, stream: io.StringIO) -> None:
        with mock.patch("sys.stderr", stream):
            bar = UploadBar("scan.pdf")
            bar(50, 100)
            bar(100, 100)
            bar.close()

    def test_is_a_bar_of_tqdm_if_it_is_installed(self) -> None:
        module = ModuleType("tqdm")
        module.__spec__ = mock.Mock()
        opened = mock.Mock(n=0)
        module.__dict__["tqdm"] = mock.Mock(return_value=opened)
        with mock.patch.dict(sys.modules, {"tqdm": module}):
            self.show(io.StringIO())
        module.__dict__["tqdm"].assert_called_once_with(
            total=100, desc="scan.pdf", unit="B", unit_scale=True
        )
        self.assertEqual((opened.n, opened.refresh.call_count), (100, 2))
        opened.close.assert_called_once()

    def test_is_text_on_a_terminal_and_nothing_in_a_pipe(self) -> None:
        with mock.patch.dict(sys.modules, {"tqdm": None}):
            with mock.patch("importlib.util.find_spec", return_value=None):
                pipe, terminal = io.StringIO(), io.StringIO()
                self.show(pipe)
                terminal.isatty = lambda: True  # type: ignore[method-assign]
                self.show(terminal)
        self.assertEqual(pipe.getvalue(), "")
        self.assertIn("[████████████░░░░░░░░░░░░] 50 %  scan.pdf", terminal.getvalue())
        self.assertTrue(terminal.getvalue().endswith("100 %  scan.pdf\n"))

    def test_ends_the_line_if_the_upload_fails(self) -> None:
        with serve(problem(403, "policy_denied")) as server:
            client = Scriptorium(server.url, "prj_1", "sk_1")
            with mock.patch("scriptorium._sync.objects.UploadBar") as bar:
                with self.assertRaises(ScriptoriumError):
                    client.objects.upload(b"a", filename="a", progress=True)
        bar.return_value.close.assert_called_once()
