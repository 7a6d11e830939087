"""The client."""

from __future__ import annotations

import os
import ssl

from . import resources
from .events import AsyncEvents
from .jobs import AsyncJobs, AsyncPacks
from .objects import AsyncObjects
from .transport import AsyncTransport
from .uploads import AsyncUploads


class AsyncCollections(resources.AsyncCollections):
    """Collections of images and objects."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.members = resources.AsyncCollectionsMembers(transport)


class AsyncWebhooks(resources.AsyncWebhooks):
    """Webhooks. `scriptorium.webhooks.verify` verifies the messages that they send."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
        self.deliveries = resources.AsyncWebhooksDeliveries(transport)
        self.replays = resources.AsyncWebhooksReplays(transport)


class AsyncScriptorium(resources.AsyncService):
    """A client of the API for one project, with a method per operation.

    All failed requests raise a ScriptoriumError. Each request has its own connection, so a client
    can be shared by tasks and threads, and need not be closed.

    base_url: The URL of the service: `https://scriptorium.example.com`. Default: SERVICE_URL.
    project_id: The project of all requests: `prj_…`. Default: PROJECT_ID.
    api_key: A key of that project: `sk_…`. Default: API_KEY.
    max_retries: The maximum number of retries after a temporary failure.
    timeout: Seconds without any progress after which an attempt fails.
    ssl_context: Certificates to trust. Default: those of the system.
    """

    def __init__(
        self,
        base_url: str | None = None,
        project_id: str | None = None,
        api_key: str | None = None,
        *,
        max_retries: int = 3,
        timeout: float = 60.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        transport = AsyncTransport(
            base_url or os.environ.get("SERVICE_URL", ""),
            project_id or os.environ.get("PROJECT_ID", ""),
            api_key or os.environ.get("API_KEY", ""),
            max_retries=max_retries,
            timeout=timeout,
            ssl_context=ssl_context,
        )
        super().__init__(transport)
        self.transport = transport
        """Sends any request with the headers, retries and errors of the client."""
        self.objects = AsyncObjects(transport)
        self.uploads = AsyncUploads(transport)
        self.images = resources.AsyncImages(transport)
        self.search = resources.AsyncSearch(transport)
        self.collections = AsyncCollections(transport)
        self.shares = resources.AsyncShares(transport)
        self.jobs = AsyncJobs(transport)
        self.presets = resources.AsyncPresets(transport)
        self.reviews = resources.AsyncReviews(transport)
        self.packs = AsyncPacks(transport)
        self.events = AsyncEvents(transport)
        self.consumers = resources.AsyncConsumers(transport)
        self.webhooks = AsyncWebhooks(transport)
        self.policies = resources.AsyncPolicies(transport)
        self.keys = resources.AsyncKeys(transport)
        self.members = resources.AsyncMembers(transport)
        self.project = resources.AsyncProject(transport)
        self.retention = resources.AsyncRetention(transport)
        self.erasures = resources.AsyncErasures(transport)
