"""Requests, retries and errors, against a server that responds as told."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from traceback import format_exception
from typing import Any
from unittest import TestCase, mock

from scriptorium import (
    ConflictError,
    ConnectionFailedError,
    NotFoundError,
    RateLimitError,
    ScriptoriumError,
    ServerError,
    UnexpectedResponseError,
    ValidationError,
)
from scriptorium.errors import read_retry_after
from scriptorium.net import Request, net_error
from tests.support import Kind, Reply, Server, both, problem, serve


def connect(kind: Kind, server: Server, **options: Any) -> Any:
    return kind.client(f"{server.url}/base/", "prj_1", "sk_1", **options)


class Requests(TestCase):
    def setUp(self) -> None:
        """Waits without waiting, and remembers how long."""
        self.waits: list[float] = []

        async def wait(seconds: float) -> None:
            self.waits.append(seconds)

        for target, sleep in (("_sync", self.waits.append), ("_async", wait)):
            patch = mock.patch(f"scriptorium.{target}.transport.sleep", sleep)
            patch.start()
            self.addCleanup(patch.stop)

    @both
    def test_send_path_query_body_and_headers(self, kind: Kind) -> None:
        with serve(Reply(body=b'{"id": "col_1"}')) as server:
            client = connect(kind, server)
            options = {"request_id": "r-1", "headers": {"X-More": "1"}}
            kind.get(
                client.collections.update("a/b ü", name="Ünï", if_match=7, request_options=options)
            )
            kind.get(client.images.list(q="a b", tag=["x", "y"], untagged=True).page("c&d"))
        update, search = server.received
        self.assertEqual((update.method, update.path), ("PATCH", "/base/v1/collections/a%2Fb%20%C3%BC"))
        self.assertEqual(json.loads(update.body), {"name": "Ünï"})
        expected = {
            "authorization": "Bearer sk_1",
            "x-service-project-id": "prj_1",
            "if-match": '"7"',
            "x-request-id": "r-1",
            "x-more": "1",
            "content-type": "application/json",
        }
        self.assertEqual({name: update.headers.get(name) for name in expected}, expected)
        self.assertEqual(search.path, "/base/v1/images?q=a+b&tag=x&tag=y&untagged=true&cursor=c%26d")

    @both
    def test_accept_what_an_operation_returns(self, kind: Kind) -> None:
        with serve(Reply()) as server:
            client = connect(kind, server)
            for call in (
                client.limits(),
                client.objects.page_image("obj_1", 1),
                client.images.rendition("img_1", "thumb"),
                client.objects.download("obj_1"),
                client.objects.archive(ids=["obj_1"]),
            ):
                kind.get(call)
        accepted = [one.headers["accept"] for one in server.received]
        self.assertEqual(accepted[0], "application/json")
        self.assertIn("image/webp", accepted[1])
        self.assertIn("image/webp", accepted[2])
        self.assertEqual(accepted[3], "*/*")
        self.assertEqual(accepted[4], "application/zip")

    @both
    def test_send_names_that_python_reserves(self, kind: Kind) -> None:
        with serve(Reply()) as server:
            client = connect(kind, server)
            kind.get(client.policies.impact("pol_1", with_={"name": "a"}))
            kind.get(client.reviews.stats(from_="2026-01-01"))
        impact, stats = server.received
        self.assertEqual(json.loads(impact.body), {"with": {"name": "a"}})
        self.assertEqual(stats.path, "/base/v1/documents/reviews/stats?from=2026-01-01")

    @both
    def test_repeat_a_post_with_the_same_idempotency_key(self, kind: Kind) -> None:
        self.waits.clear()
        failures = (None, problem(503, "dependency_unavailable"), Reply(cut=True, body=b"{}" * 9))
        for failure in failures[:2]:
            with serve(failure, Reply(body=b'{"id": "col_1"}')) as server:
                made = kind.get(connect(kind, server).collections.create(name="a"))
            self.assertEqual(made, {"id": "col_1"})
            keys = {received.headers["idempotency-key"] for received in server.received}
            self.assertEqual((len(server.received), len(keys)), (2, 1))
        self.assertTrue(all(0.25 <= wait <= 0.5 for wait in self.waits), self.waits)

    @both
    def test_wait_for_retry_after(self, kind: Kind) -> None:
        self.waits.clear()
        with serve(problem(429, "rate_limited", retry_after=7), Reply()) as server:
            kind.get(connect(kind, server).collections.update("col_1", name="a"))
        self.assertEqual(self.waits, [7])
        with serve(problem(429, "rate_limited", retry_after=61)) as server:
            with self.assertRaises(RateLimitError) as caught:
                kind.get(connect(kind, server).limits())
        self.assertEqual((caught.exception.retry_after, len(server.received)), (61, 1))

    @both
    def test_do_not_repeat_a_write_without_a_key_that_may_have_taken_effect(self, kind: Kind) -> None:
        for failure in (None, problem(500, "internal")):
            with serve(failure) as server:
                with self.assertRaises((ConnectionFailedError, ServerError)):
                    kind.get(connect(kind, server).images.update("img_1", title="a"))
            self.assertEqual(len(server.received), 1)

    @both
    def test_give_up_after_the_last_retry(self, kind: Kind) -> None:
        with serve(problem(500, "internal")) as server:
            with self.assertRaises(ServerError):
                kind.get(connect(kind, server, max_retries=2).limits())
            self.assertEqual(len(server.received), 3)
            with self.assertRaises(ServerError):
                kind.get(connect(kind, server).limits(request_options={"max_retries": 0}))
            self.assertEqual(len(server.received), 4)

    @both
    def test_raise_classes_with_code_field_and_request_id(self, kind: Kind) -> None:
        fault = {"pointer": "/name", "code": "too_long", "detail": "It is too long."}
        cases = ((404, NotFoundError), (409, ConflictError), (422, ValidationError))
        for status, expected in cases:
            with serve(problem(status, "bad", errors=[fault], retryable=False)) as server:
                with self.assertRaises(expected) as caught:
                    kind.get(connect(kind, server).collections.create(name="a"))
            error = caught.exception
            assert isinstance(error, ScriptoriumError)
            self.assertEqual(
                (error.status, error.code, error.field, error.request_id, error.retryable),
                (status, "bad", "/name", "req_1", False),
            )
            self.assertIn("req_1", str(error))

    @both
    def test_follow_no_redirect_and_accept_no_other_response(self, kind: Kind) -> None:
        html = (("Content-Type", "text/html"), ("Location", "http://127.0.0.1:9/"))
        for reply in (Reply(302, b"", html), Reply(200, b"<p>", html), Reply(200, b"{")):
            with serve(reply) as server:
                with self.assertRaises(UnexpectedResponseError) as caught:
                    kind.get(connect(kind, server).limits())
            self.assertEqual((caught.exception.code, len(server.received)), ("unexpected_answer", 1))

    @both
    def test_report_a_response_that_is_cut_off(self, kind: Kind) -> None:
        with serve(Reply(body=b'{"a": "' + b"x" * 100_000 + b'"}', cut=True)) as server:
            with self.assertRaises(ConnectionFailedError):
                kind.get(connect(kind, server, max_retries=0).limits())

    @both
    def test_say_which_service_cannot_be_reached(self, kind: Kind) -> None:
        with self.assertRaises(ConnectionFailedError) as caught:
            kind.get(kind.client("http://127.0.0.1:9", "prj_1", "sk_1").limits())
        self.assertIn("http://127.0.0.1:9 could not be reached", caught.exception.detail)
        self.assertIn("ECONNREFUSED", caught.exception.detail)

    def test_name_a_certificate_that_is_not_trusted(self) -> None:
        error = ssl.SSLCertVerificationError(1, "certificate verify failed: self-signed")
        reason = net_error(error, connected=False).reason
        self.assertIn("certificate verify failed", reason)

    @both
    def test_print_no_key(self, kind: Kind) -> None:
        with serve(problem(401, "api_key_invalid")) as server:
            with self.assertRaises(ScriptoriumError) as caught:
                kind.get(kind.client(server.url, "prj_1", "sk_secret").limits())
        self.assertNotIn("sk_secret", "".join(format_exception(caught.exception)))
        request = Request("GET", "http", "a", 80, "/", {"Authorization": "sk_secret"}, b"body")
        self.assertNotIn("sk_secret", repr(request))

    @both
    def test_require_settings(self, kind: Kind) -> None:
        for args, message in (
            ((), "base_url is required: pass it, or set SERVICE_URL."),
            (("http://a",), "project_id is required: pass it, or set PROJECT_ID."),
            (("http://a", "prj_1", ""), "api_key is required: pass it, or set API_KEY."),
            (("ftp://a", "prj_1", "sk_1"), "base_url must start with http:// or https://"),
        ):
            with (
                self.subTest(args=args),
                mock.patch.dict("os.environ", clear=True),
                self.assertRaisesRegex(ValueError, message.replace(".", "[.]")),
            ):
                kind.client(*args)

    @both
    def test_reject_an_empty_id_and_line_breaks_in_headers(self, kind: Kind) -> None:
        with serve(Reply()) as server:
            with self.assertRaises(ValueError):
                kind.get(connect(kind, server).jobs.get(""))
            options = {"headers": {"X-A": "1\r\nX-B: 2"}, "max_retries": 0}
            with self.assertRaises((ValueError, ScriptoriumError)):
                kind.get(connect(kind, server).limits(request_options=options))
        self.assertEqual(server.received, [])

    @both
    def test_iterate_over_all_pages(self, kind: Kind) -> None:
        pages = [
            {"data": [{"id": "a"}], "has_more": True, "next_cursor": "1"},
            {"data": [], "has_more": True, "next_cursor": "2"},
            {"data": [{"id": "b"}], "has_more": False, "next_cursor": None},
        ]
        with serve(*[Reply(body=json.dumps(page).encode()) for page in pages]) as server:
            found = kind.take(connect(kind, server).jobs.list(limit=1), 9)
        self.assertEqual([one["id"] for one in found], ["a", "b"])
        paths = [received.path.partition("?")[2] for received in server.received]
        self.assertEqual(paths, ["limit=1", "limit=1&cursor=1", "limit=1&cursor=2"])

    @both
    def test_send_an_iterable_chunked(self, kind: Kind) -> None:
        def parts() -> Iterator[bytes]:
            for _ in range(9):
                yield b"x" * 1024 * 1024

        sent: list[tuple[int, int | None]] = []
        with serve(Reply(body=b'{"id": "obj_1"}')) as server:
            client = connect(kind, server)
            kind.get(
                client.objects.upload(
                    parts(), filename="ä.bin", on_progress=lambda *now: sent.append(now)
                )
            )
        received = server.received[0]
        self.assertEqual(len(received.body), 9 * 1024 * 1024)
        self.assertEqual(received.headers["x-filename"], "%C3%A4.bin")
        self.assertEqual(sent[-1], (9 * 1024 * 1024, None))


class RetryAfter(TestCase):
    def test_is_seconds_or_a_date(self) -> None:
        self.assertEqual(read_retry_after("7"), 7)
        self.assertEqual(read_retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), 0)
        self.assertEqual(read_retry_after("soon"), None)
        self.assertEqual(read_retry_after(None), None)
