"""The Python client of Scriptorium: files, document jobs, events and webhooks behind one HTTP API."""

from ._async.client import AsyncScriptorium
from ._async.listing import AsyncListing
from ._files import Uploadable
from ._options import RequestOptions, Version
from ._sync.client import Scriptorium
from ._sync.listing import Listing
from ._sync.waiting import is_final_state
from .errors import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ContentMismatchError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    RequestTimeoutError,
    ScriptoriumError,
    ServerError,
    UnexpectedResponseError,
    ValidationError,
)

__all__ = [
    "AsyncListing",
    "AsyncScriptorium",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionFailedError",
    "ContentMismatchError",
    "Listing",
    "NotFoundError",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimitError",
    "RequestOptions",
    "RequestTimeoutError",
    "Scriptorium",
    "ScriptoriumError",
    "ServerError",
    "UnexpectedResponseError",
    "Uploadable",
    "ValidationError",
    "Version",
    "is_final_state",
]
