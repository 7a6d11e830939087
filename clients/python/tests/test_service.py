"""The client against a running service, whose settings are in the environment."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import TestCase, skipUnless

from scriptorium import AsyncScriptorium, NotFoundError, Scriptorium, ValidationError, webhooks
from tests.support import Kind, both

LETTER = b"# Offer\n\nDear Ms Jane Doe, write to jane.doe@example.com.\n"

# Uploads until it is killed, in the middle of the file.
KILLED = """
import os, signal, sys
from scriptorium import Scriptorium
path, note = sys.argv[1:]
def stop(sent, total):
    if sent > 0: os.kill(os.getpid(), signal.SIGKILL)
def remember(id):
    with open(note, "w") as file: file.write(id)
Scriptorium().objects.upload(path, on_upload=remember, on_progress=stop)
"""


@skipUnless(os.environ.get("SERVICE_URL"), "SERVICE_URL is not set")
class Service(TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    @both
    def test_upload_paths_files_and_bytes(self, kind: Kind) -> None:
        objects = kind.client().objects
        path = self.file(f"{kind.name}.txt", kind.name.encode())
        first = kind.get(objects.upload(path))
        self.assertEqual((first["filename"], first["bytes"]), (path.name, len(kind.name)))
        again = kind.get(objects.upload(str(path)))
        self.assertEqual((again["id"], again["deduplicated"]), (first["id"], True))
        with path.open("rb") as file:
            file.seek(2)
            rest = kind.get(objects.upload(file, on_duplicate="allow"))
        self.assertEqual(rest["bytes"], len(kind.name) - 2)
        stream = io.BytesIO(b"in memory " + kind.name.encode())
        tagged = kind.get(objects.upload(stream, filename="m.txt", tags=["a"], metadata={"n": 1}))
        self.assertEqual((tagged["tags"], tagged["metadata"]), (["a"], {"n": 1}))
        with self.assertRaises(FileNotFoundError):
            kind.get(objects.upload(self.folder / "missing"))
        with self.assertRaises(ValueError):
            kind.get(objects.upload(self.folder))
        with self.assertRaises(ValueError):
            kind.get(objects.upload(b"without a name"))

    @both
    def test_upload_in_chunks_with_progress(self, kind: Kind) -> None:
        content = kind.name.encode() * 2_200_000
        sent: list[Any] = []
        made = kind.get(
            kind.client().objects.upload(
                content, filename="big.bin", on_progress=lambda *now: sent.append(now)
            )
        )
        self.assertEqual(made["bytes"], len(content))
        self.assertEqual((sent[0], sent[-1]), ((0, len(content)), (len(content), len(content))))
        self.assertEqual(sorted(sent), sent)
        self.assertGreater(len(sent), 3)
        read = kind.get(read_all(kind, made["id"]))
        self.assertEqual(read, content)

    @both
    def test_resume_an_upload_whose_process_was_killed(self, kind: Kind) -> None:
        content = os.urandom(10_000_000)
        path = self.file("killed.bin", content)
        note = self.folder / "note"
        command = [sys.executable, "-c", KILLED, str(path), str(note)]
        self.assertEqual(subprocess.run(command).returncode, -9)
        client = kind.client()
        sent: list[int] = []
        made = kind.get(
            client.objects.upload(
                path, upload_id=note.read_text(), on_progress=lambda now, _: sent.append(now)
            )
        )
        self.assertGreater(sent[0], 0)
        self.assertLess(sent[0], len(content))
        self.assertEqual(kind.get(read_all(kind, made["id"])), content)
        with self.assertRaisesRegex(ValueError, "has 10000000 bytes, but this file has 3"):
            kind.get(client.objects.upload(b"abc", filename="a", upload_id=note.read_text()))

    @both
    def test_download_verified_and_overwrite_nothing(self, kind: Kind) -> None:
        objects = kind.client().objects
        made = kind.get(objects.upload(b"to download", filename="../x:y.txt"))
        path = kind.get(objects.download_into(made, self.folder / "out"))
        self.assertEqual((path.name, path.read_bytes()), ("x_y.txt", b"to download"))
        second = kind.get(objects.download_into(made, self.folder / "out"))
        self.assertEqual(second.name, "x_y-2.txt")
        with self.assertRaises(FileExistsError):
            kind.get(objects.download_to(made["id"], path))
        self.assertEqual(kind.get(objects.download_to(made["id"], path, overwrite=True)), 11)
        self.assertEqual(sorted(one.name for one in path.parent.iterdir()), ["x_y-2.txt", "x_y.txt"])
        for one in path.parent.iterdir():
            one.unlink()

    @both
    def test_redact_and_wait(self, kind: Kind) -> None:
        client = kind.client()
        letter = kind.get(client.objects.upload(LETTER, filename=f"{kind.name}-offer.md"))
        started = kind.get(
            client.jobs.redact(
                source_object_id=letter["id"], entities=["EMAIL_ADDRESS"], style="label"
            )
        )
        seen: list[int] = []
        job = kind.get(
            client.jobs.wait(
                started["id"], on_progress=lambda now: seen.append(now["progress"]["percent"])
            )
        )
        self.assertEqual((job["state"], seen[-1]), ("succeeded", 100))
        text = kind.get(read_all(kind, job["outputs"][0]["object_id"]))
        self.assertIn(b"[EMAIL_ADDRESS]", text)
        self.assertNotIn(b"jane.doe@example.com", text)
        pdf = kind.get(read(kind, lambda client: client.jobs.certificate_pdf(job["id"])))
        self.assertTrue(pdf.startswith(b"%PDF-"))

    @both
    def test_follow_a_consumer_again_until_it_is_committed(self, kind: Kind) -> None:
        client = kind.client()
        kind.get(client.collections.create(name="one"))
        name = f"reader-{os.urandom(4).hex()}"
        kind.get(
            client.consumers.create(
                name=name, event_types=["dam.collection.created"], start="earliest"
            )
        )
        first = kind.take(client.events.follow(consumer=name), 1)
        # The batch was not processed to its end, so it is read again.
        again = kind.take(client.events.follow(consumer=name), 1)
        self.assertEqual(first[0]["id"], again[0]["id"])
        consumer = kind.get(client.consumers.list(name=name).page())["data"][0]
        batch = kind.get(client.consumers.events(consumer["id"]))

        def add_one_more(count: int) -> None:
            if count == len(batch["data"]):
                Scriptorium().collections.create(name="two")

        following = client.events.follow(consumer=consumer["id"])
        read = kind.take(following, len(batch["data"]) + 1, add_one_more)
        self.assertGreater(read[-1]["sequence"], batch["commit_sequence"])
        now = kind.get(client.consumers.get(consumer["id"]))
        self.assertEqual(now["position"], batch["commit_sequence"])
        with self.assertRaises(NotFoundError):
            kind.take(client.events.follow(consumer="missing"), 1)

    @both
    def test_stream_events_from_a_position(self, kind: Kind) -> None:
        client = kind.client()
        kind.get(client.collections.create(name="streamed"))
        events = kind.take(client.events.stream(type=["dam.collection.*"], after="0"), 1)
        self.assertEqual(events[0]["type"], "dam.collection.created")

    @both
    def test_verify_the_message_that_the_service_sends(self, kind: Kind) -> None:
        client = kind.client()
        for scheme in ("v1", "v1a"):
            # Nothing listens there, but the message is signed and sent.
            made = kind.get(
                client.webhooks.create(
                    url=f"http://127.0.0.1:9/{kind.name}", event_types=["dam.*"], signing=[scheme]
                )
            )
            request = kind.get(client.webhooks.test(made["id"]))["request"]
            keys = [made["secret"]] if scheme == "v1" else made["public_keys"]
            event = webhooks.verify(request["body"], request["headers"], keys)
            self.assertEqual(event["id"], request["headers"]["webhook-id"])
            with self.assertRaises(webhooks.WebhookVerificationError):
                webhooks.verify(request["body"] + " ", request["headers"], keys)

    @both
    def test_raise_all_faults(self, kind: Kind) -> None:
        with self.assertRaises(ValidationError) as caught:
            kind.get(kind.client().collections.create(name="", colour="red"))
        self.assertEqual(len(caught.exception.errors), 2)

    def test_read_many_at_once(self) -> None:
        async def read() -> int:
            client = AsyncScriptorium()
            return len(await asyncio.gather(*[client.limits() for _ in range(30)]))

        self.assertEqual(asyncio.run(read()), 30)


def read(kind: Kind, send: Callable[[Any], Any]) -> Any:
    """The bytes of a response."""
    if kind.name == "sync":
        return send(kind.client()).read()

    async def read_response() -> bytes:
        content: bytes = await (await send(kind.client())).read()
        return content

    return read_response()


def read_all(kind: Kind, id: str) -> Any:
    """The bytes of an object."""
    return read(kind, lambda client: client.objects.download(id))
