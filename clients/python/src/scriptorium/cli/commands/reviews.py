"""The commands about reviews."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from ... import types as t
from ..command import Command, CommandContext, Option, OptionValues
from ..exit_codes import Exit, UsageError
from ..terminal import pluralise
from .limit import LIMIT, given, read_limit, take

Verb = Literal["accept", "reject", "reset"]


def _list(call: CommandContext) -> int:
    limit = read_limit(call.options)
    state = None if call.options.flag("all") else ["open"]
    query = cast("t.ListReviewsQuery", given(state=state, limit=limit))
    call.output.table(
        take(call.client.reviews.list(**query), limit),
        lambda one: [
            one["id"],
            one["op"],
            one["state"],
            f"{one['counts']['pending']} pending",
            one["job_id"],
            one["expires_at"],
        ],
    )
    return Exit.SUCCESS


def _findings(call: CommandContext) -> int:
    options = call.options
    limit = read_limit(options)
    decision = options.one_of("decision", "pending", "accepted", "rejected")
    query = cast(
        "t.ListFindingsQuery",
        given(limit=limit, decision=decision and [decision], page=options.number("page")),
    )
    call.output.table(
        take(call.client.reviews.findings(call.args[0], **query), limit),
        lambda one: [
            one["id"],
            _position_of(one),
            one["type"],
            "–" if one["score"] is None else f"{one['score']:.2f}",
            one["decision"],
            one["text"] or "",
        ],
    )
    return Exit.SUCCESS


def _position_of(finding: t.Finding) -> str:
    """Returns the page and, for a file without pages, the cell or line and the range in the text."""
    page, location, range = finding["page"], finding["location"], finding["range"]
    if not location or not range:
        return "–" if page is None else str(page)
    where = location["cell"] or f"line {location['line']}"
    part = location["part"] if page is None else page
    return f"{part}  {where}  {range['start']}-{range['end']}"


def _decide_command(verb: Verb, summary: str) -> Command:
    """Returns a command that decides findings."""

    def run(call: CommandContext) -> int:
        id, *ids = call.args
        options = call.options
        if bool(ids) == options.flag("all"):
            raise UsageError("Name findings, or use --all.")
        body = given(
            decision=verb,
            ids=ids or None,
            filter=_filter_of(options) if options.flag("all") else None,
            reason=options.text("reason"),
        )
        answer = call.client.reviews.decide(id, **cast("t.FindingDecisions", body))
        changed, review = answer["changed"], answer["review"]
        line = f"{changed} changed, {review['counts']['pending']} pending"
        call.output.result({"changed": changed, "review": review}, line)
        return Exit.SUCCESS

    return Command(
        name=f"review {verb}",
        summary=summary,
        usage="REVIEW [FINDING…]",
        arity=(1, 1001),
        options={
            "all": Option("all findings of the detector that match the other options"),
            "type": Option("with --all: only findings of this type", value="TYPE", many=True),
            "page": Option("with --all: only findings on this page", value="N"),
            "min-score": Option(
                "with --all: only findings with at least this score", value="SCORE"
            ),
            "max-score": Option("with --all: only findings with at most this score", value="SCORE"),
            "reason": Option("why; stored encrypted", value="TEXT"),
        },
        examples=(f"review {verb} rev_… fnd_…", f"review {verb} rev_… --all --type LOCATION"),
        run=run,
    )


def _filter_of(options: OptionValues) -> dict[str, Any]:
    return given(
        type=options.list("type"),
        page=options.number("page"),
        min_score=options.number("min-score"),
        max_score=options.number("max-score"),
    )


def _add(call: CommandContext) -> int:
    id, *texts = call.args
    options = call.options
    range = _read_range(options.text("range"))
    if bool(texts) == (range is not None):
        raise UsageError("Name a text, or use --range.")
    # The API validates the type.
    body: dict[str, Any] = {"type": options.text("type") or "PERSON"}
    if range is not None:
        body.update(page=options.number("page") or 1, range=range)
    else:
        body.update(text=texts[0], everywhere=True)
    added = call.client.reviews.add(id, **cast("t.NewFinding", body))
    line = f"{pluralise(len(added['data']), 'occurrence')} added{_pages_text(added['data'])}"
    call.output.result(added, line)
    return Exit.SUCCESS


def _pages_text(added: Sequence[t.Finding]) -> str:
    """Returns the pages of findings, such as ", on pages 1, 3". Hidden text has no page."""
    pages = list(dict.fromkeys(one["page"] for one in added if one["page"] is not None))
    if not pages:
        return ""
    return f", on {'page' if len(pages) == 1 else 'pages'} {', '.join(map(str, pages))}"


def _read_range(value: str | None) -> dict[str, int] | None:
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]+)-([0-9]+)", value)
    if found is None:
        raise UsageError(f"--range must be START-END, such as 120-131, not '{value}'.")
    return {"start": int(found[1]), "end": int(found[2])}


def _text(call: CommandContext) -> int:
    limit = read_limit(call.options)
    query = cast(
        "t.ListReviewTextQuery", given(limit=limit, page=call.options.number("page"))
    )
    pieces = take(call.client.reviews.text(call.args[0], **query), limit)
    call.output.table(pieces, lambda one: [str(one["page"]), str(one["start"]), one["text"]])
    return Exit.SUCCESS


def _submit(call: CommandContext) -> int:
    id = call.args[0]
    version = call.client.reviews.get(id)["version"]
    pending = "accept" if call.options.flag("accept-pending") else "refuse"
    # The API validates the label.
    body = cast("t.ReviewSubmission", given(pending=pending, label=call.options.text("label")))
    review = call.client.reviews.submit(id, if_match=version, **body)
    call.output.result(review, f"{review['id']}  {review['state']}  {review['job_id']}")
    return Exit.SUCCESS


def _fail(call: CommandContext) -> int:
    id, reason = call.args
    review = call.client.reviews.reject(id, reason=reason)
    call.output.result(review, f"{review['id']}  {review['state']}")
    return Exit.SUCCESS


REVIEW_COMMANDS = (
    Command(
        name="review list",
        summary="List reviews that are open, oldest first.",
        usage="",
        arity=(0, 0),
        options={"all": Option("also those that have ended"), "limit": LIMIT},
        examples=("review list",),
        run=_list,
    ),
    Command(
        name="review findings",
        summary="List the findings of a review by page.",
        usage="REVIEW",
        arity=(1, 1),
        options={
            "page": Option("only findings on this page", value="N"),
            "decision": Option("only pending, accepted or rejected ones", value="STATE"),
            "limit": LIMIT,
        },
        examples=("review findings rev_… --decision pending --limit 200",),
        run=_findings,
    ),
    _decide_command("accept", "Accept findings: they are removed."),
    _decide_command("reject", "Reject findings: they stay."),
    _decide_command("reset", "Make decided findings pending again."),
    Command(
        name="review add",
        summary="Add every occurrence of a text in the document, or a range of text in a file.",
        usage="REVIEW [TEXT]",
        arity=(1, 2),
        options={
            "type": Option("its type (default: PERSON)", value="TYPE"),
            "range": Option(
                "a range as `review text` numbers it, in place of TEXT", value="START-END"
            ),
            "page": Option("with --range: its page (default: 1)", value="N"),
        },
        examples=(
            "review add rev_… 'Mara Quill'",
            "review add rev_… Bluebird --type CUSTOM_PROJECT",
            "review add rev_… --range 120-131",
        ),
        run=_add,
    ),
    Command(
        name="review text",
        summary="Show the text of a file without pages, with where each piece starts.",
        usage="REVIEW",
        arity=(1, 1),
        options={
            "page": Option("only this page: a sheet of a workbook, or 0 for hidden text", value="N"),
            "limit": Option("the maximum number of pieces (default: 20)", value="N"),
        },
        examples=("review text rev_… --page 1",),
        run=_text,
    ),
    Command(
        name="review submit",
        summary="Submit a review: its job continues with the decisions.",
        usage="REVIEW",
        arity=(1, 1),
        options={
            "accept-pending": Option("accept findings without a decision"),
            "label": Option("the right label, for a classification", value="LABEL"),
        },
        examples=("review submit rev_… --accept-pending",),
        run=_submit,
    ),
    Command(
        name="review fail",
        summary="Reject a review as a whole: its operation fails.",
        usage="REVIEW REASON",
        arity=(2, 2),
        examples=("review fail rev_… 'The wrong document was uploaded.'",),
        run=_fail,
    ),
)
