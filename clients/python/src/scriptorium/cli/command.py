"""Commands: their options and arguments, and their help."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .._sync.client import Scriptorium
from .exit_codes import EXIT_CODES, UsageError
from .output import Output


@dataclass(frozen=True)
class Option:
    """An option of a command."""

    help: str
    value: str | None = None
    """The placeholder of its value in the help. Flags have none."""
    many: bool = False
    """Whether it may be repeated."""


class OptionValues:
    """The option values of a command line."""

    def __init__(self, values: Mapping[str, str | list[str] | bool]) -> None:
        self._values = values

    def text(self, name: str) -> str | None:
        value = self._values.get(name)
        return value if isinstance(value, str) else None

    def list(self, name: str) -> list[str] | None:
        value = self._values.get(name)
        return value if isinstance(value, list) else None

    def flag(self, name: str) -> bool:
        return self._values.get(name) is True

    def one_of(self, name: str, *allowed: str) -> str | None:
        """Raises UsageError for a value other than these."""
        value = self.text(name)
        if value is not None:
            _require_one_of(name, value, allowed)
        return value

    def list_of(self, name: str, *allowed: str) -> Sequence[str] | None:
        """Raises UsageError for a value other than these."""
        values = self.list(name)
        for value in values or ():
            _require_one_of(name, value, allowed)
        return values

    def number(self, name: str) -> int | float | None:
        """Raises UsageError if it is not a number."""
        text = self.text(name)
        if text is None:
            return None
        if not re.fullmatch(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", text):
            raise UsageError(f"--{name} must be a number, not '{text}'.")
        value = float(text)
        return int(value) if value.is_integer() else value


@dataclass(frozen=True)
class CommandContext:
    """The input of a command."""

    client: Scriptorium
    output: Output
    args: Sequence[str]
    options: OptionValues


@dataclass(frozen=True)
class Command:
    """A command of one or two words."""

    name: str
    """`upload`, `jobs watch`."""
    summary: str
    usage: str
    """The arguments in the usage: `FILE…`."""
    arity: tuple[int, int]
    """The minimum and maximum number of arguments."""
    run: Callable[[CommandContext], int]
    """Runs the command; returns the exit code."""
    examples: Sequence[str]
    options: Mapping[str, Option] = field(default_factory=dict)
    help: str | None = None


MANY = 1_000_000
"""The maximum number of arguments of a command that takes any number."""

GLOBAL_OPTIONS = {
    "url": Option("the URL of the service (SERVICE_URL)", value="URL"),
    "project": Option("the project (PROJECT_ID)", value="ID"),
    "key-file": Option("a file with the API key (API_KEY)", value="FILE"),
    "json": Option("print JSON lines on stdout, and errors as JSON on stderr"),
    "help": Option("show this help"),
}


def read_arguments(command: Command, words: Sequence[str]) -> tuple[OptionValues, list[str]]:
    """Parses the options and arguments of a command. Raises UsageError."""
    known = {**command.options, **GLOBAL_OPTIONS}
    values: dict[str, str | list[str] | bool] = {}
    args: list[str] = []
    rest = ["--help" if word == "-h" else word for word in words]
    while rest:
        word = rest.pop(0)
        if word == "--":
            args += rest
            break
        if not word.startswith("-") or word == "-":
            args.append(word)
            continue
        name, equals, given = word[2:].partition("=")
        option = known.get(name) if word.startswith("--") else None
        if option is None:
            raise UsageError(f"Unknown option '{word.partition('=')[0]}'")
        if option.value is None:
            if equals:
                raise UsageError(f"Option '--{name}' does not take an argument")
            values[name] = True
            continue
        if not equals:
            if not rest or (rest[0].startswith("-") and rest[0] != "-"):
                raise UsageError(f"Option '--{name} <value>' argument missing")
            given = rest.pop(0)
        if option.many:
            earlier = values.get(name)
            values[name] = [*(earlier if isinstance(earlier, list) else []), given]
        else:
            values[name] = given
    return OptionValues(values), args


def check_arity(command: Command, args: Sequence[str]) -> None:
    """Raises UsageError for too few or too many arguments."""
    least, most = command.arity
    if len(args) < least:
        raise UsageError(f"{command.usage} is required.")
    if len(args) > most:
        raise UsageError(f"Unexpected argument '{args[most]}'.")


def help_of(command: Command) -> str:
    """The help of one command."""
    title = " ".join(part for part in (command.name, command.usage) if part)
    parts = [f"scriptorium {title}", command.summary]
    if command.help:
        parts.append(command.help)
    if command.options:
        parts.append(f"Options\n{_describe(command.options)}")
    parts.append(f"Global options\n{_describe(GLOBAL_OPTIONS)}")
    examples = "\n".join(f"  scriptorium {example}" for example in command.examples)
    parts.append(f"Examples\n{examples}")
    parts.append(f"Exit codes\n{indent(EXIT_CODES)}")
    return "\n\n".join(parts)


def indent(text: str) -> str:
    """The lines of a text, indented by two spaces."""
    return re.sub(r"^", "  ", text, flags=re.MULTILINE)


def _describe(options: Mapping[str, Option]) -> str:
    rows = [
        (
            f"--{name} {option.value}" if option.value else f"--{name}",
            f"{option.help}; may be repeated" if option.many else option.help,
        )
        for name, option in options.items()
    ]
    width = max(len(left) for left, _ in rows)
    return "\n".join(f"  {left.ljust(width)}  {right}" for left, right in rows)


def _require_one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        alternatives = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
        raise UsageError(f"--{name} must be {alternatives}, not '{value}'.")
