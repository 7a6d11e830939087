"""Document jobs and packs: what can be waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from .. import types as t
from .._options import RequestOptions, with_headers
from .._retry import OnBreak
from ..net.asynchronous import AsyncResponse
from ..progress import PercentBar
from . import resources
from .waiting import WaitTarget, wait_for


class AsyncJobs(resources.AsyncJobs):
    """Document jobs: operations on the pages of an object."""

    async def certificate_pdf(
        self, id: str, /, *, request_options: RequestOptions | None = None
    ) -> AsyncResponse:
        """The certificate as a PDF for people, with the signed JSON attached."""
        options = with_headers(request_options, {"Accept": "application/pdf"})
        return await self._transport.send("getCertificate", path={"id": id}, options=options)

    async def wait(
        self,
        id: str,
        /,
        *,
        progress: bool = False,
        on_progress: Callable[[t.Job], object] | None = None,
        on_break: OnBreak | None = None,
        request_options: RequestOptions | None = None,
    ) -> t.Job:
        """Waits until a job has ended, even if it failed: check its `state`.

        Follows its stream with reconnects, and falls back to `Prefer: wait` if streams are blocked.

        progress: Shows a progress bar, with tqdm if it is installed.
        on_progress: Called with the current state and after each change.
        on_break: Called for each failure that is retried.
        """
        bar = PercentBar() if progress else None

        def report(current: t.Job) -> None:
            if bar:
                bar(current)
            if on_progress:
                on_progress(current)

        try:
            target = WaitTarget("getJob", "job", id)
            ended = await wait_for(self._transport, target, report, on_break, request_options)
            return cast("t.Job", ended)
        finally:
            if bar:
                bar.close()


class AsyncPacks(resources.AsyncPacks):
    """Packs: archives of many documents for language models, and the citations of their chunks."""

    async def wait(
        self,
        id: str,
        /,
        *,
        progress: bool = False,
        on_progress: Callable[[t.Pack], object] | None = None,
        on_break: OnBreak | None = None,
        request_options: RequestOptions | None = None,
    ) -> t.Pack:
        """Waits until a pack has ended, as `jobs.wait` does."""
        bar = PercentBar() if progress else None

        def report(current: t.Pack) -> None:
            if bar:
                bar(current)
            if on_progress:
                on_progress(current)

        try:
            target = WaitTarget("getPack", "pack", id)
            ended = await wait_for(self._transport, target, report, on_break, request_options)
            return cast("t.Pack", ended)
        finally:
            if bar:
                bar.close()
