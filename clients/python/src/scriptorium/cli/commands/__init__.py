"""All commands, in the order of the help."""

from .documents import DOCUMENT_COMMANDS
from .events import EVENT_COMMANDS
from .jobs import JOB_COMMANDS
from .library import LIBRARY_COMMANDS
from .listen import LISTEN
from .mcp import MCP
from .packs import PACK_COMMANDS
from .reviews import REVIEW_COMMANDS
from .shares import SHARE_COMMANDS
from .upload import UPLOAD

COMMANDS = (
    UPLOAD,
    *DOCUMENT_COMMANDS,
    *JOB_COMMANDS,
    *REVIEW_COMMANDS,
    *PACK_COMMANDS,
    *LIBRARY_COMMANDS,
    *SHARE_COMMANDS,
    *EVENT_COMMANDS,
    LISTEN,
    MCP,
)
