"""The command `scriptorium`."""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from .._sync.client import Scriptorium
from .command import (
    Command,
    CommandContext,
    OptionValues,
    check_arity,
    help_of,
    indent,
    read_arguments,
)
from .commands import COMMANDS
from .exit_codes import EXIT_CODES, Exit, Interrupted, UsageError, exit_code_of
from .output import Output
from .terminal import printable


def main() -> int:
    """Runs the command line of the process; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Each line appears at once, also in a pipe, and in UTF-8 in any locale.
        stream.reconfigure(  # type: ignore[union-attr]
            encoding="utf-8", errors="backslashreplace", line_buffering=True, newline="\n"
        )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        return _run(sys.argv[1:])
    except BrokenPipeError:
        # The reader closed the pipe: `scriptorium events tail | head`. Nothing more is written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.SUCCESS


def _interrupt(number: int, frame: FrameType | None) -> None:
    # A second signal exits immediately.
    signal.signal(number, signal.SIG_DFL)
    raise Interrupted("Interrupted.")


def _run(words: Sequence[str]) -> int:
    output = Output("--json" in words, os.environ)
    command = _find_command(words)
    try:
        if command is None:
            return _overview(words, output)
        options, args = read_arguments(command, words[len(command.name.split(" ")) :])
        if options.flag("help"):
            sys.stdout.write(f"{help_of(command)}\n")
            return Exit.SUCCESS
        check_arity(command, args)
        client = _connect(options, output)
        return int(command.run(CommandContext(client, output, args, options)))
    except Interrupted:
        output.note("")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        output.error(error)
        if isinstance(error, UsageError):
            output.note(f"See: scriptorium {f'{command.name} ' if command else ''}--help")
        return exit_code_of(error)


def _find_command(words: Sequence[str]) -> Command | None:
    """Returns the command that the words start with; names of two words take precedence."""
    for count in (2, 1):
        name = " ".join(words[:count])
        for command in COMMANDS:
            if command.name == name:
                return command
    return None


def _overview(words: Sequence[str], output: Output) -> int:
    """Prints the help of all commands, or of a group."""
    names = [word for word in words if not word.startswith("-")]
    is_help = not names or names[0] == "help"
    group = [one for one in COMMANDS if names and one.name.startswith(f"{names[0]} ")]
    if not is_help and not (group and len(names) == 1):
        raise UsageError(f"Unknown command '{printable(' '.join(names[:2]))}'.")
    listed = group or COMMANDS
    titles = [f"{one.name} {one.usage}" for one in listed]
    width = max(len(title) for title in titles)
    lines = [f"  {title.ljust(width)}  {one.summary}" for title, one in zip(titles, listed)]
    text = f"""scriptorium COMMAND

{chr(10).join(lines)}

SERVICE_URL, PROJECT_ID and API_KEY set the service, project and key; --url, --project and
--key-file override them. Every command has --help and --json.

Exit codes
{indent(EXIT_CODES)}
"""
    (sys.stdout if words else sys.stderr).write(text)
    # No command was given, which is a usage error.
    return Exit.SUCCESS if words or output.json else Exit.USAGE


def _connect(options: OptionValues, output: Output) -> Scriptorium:
    """Raises UsageError for missing settings."""
    key_file = options.text("key-file")
    if key_file is None:
        api_key = os.environ.get("API_KEY")
    else:
        if stat.S_IMODE(os.stat(key_file).st_mode) & 0o077:
            warning = f"Warning: other users can read {printable(key_file)}. Run chmod 600 on it."
            output.note(warning)
        api_key = Path(key_file).read_text("utf-8").strip()
    base_url = options.text("url") or os.environ.get("SERVICE_URL")
    project_id = options.text("project") or os.environ.get("PROJECT_ID")
    for value, name, option in (
        (base_url, "SERVICE_URL", "url"),
        (project_id, "PROJECT_ID", "project"),
        (api_key, "API_KEY", "key-file"),
    ):
        if not value:
            raise UsageError(f"{name} is not set. Set it, or use --{option}.")
    try:
        return Scriptorium(base_url, project_id, api_key)
    except ValueError as error:
        raise UsageError(str(error)) from error
