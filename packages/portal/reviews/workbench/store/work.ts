import {
  type DecisionVerb,
  decisionOf,
  type FindingDecision,
} from '@scriptorium/contracts/reviews';
import type { FindingRecord, NewFinding, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import * as changes from './changes.ts';
import { holdReview } from './held.ts';
import { createQueue } from './queue.ts';

type Before = ReadonlyMap<string, FindingDecision>;

/** A change that can be undone, even while it is being sent. */
type Done =
  | { kind: 'decided'; before: Before }
  | { kind: 'added'; outcome: Promise<changes.Added | ApiProblem> }
  | { kind: 'retyped'; finding: FindingRecord }
  | { kind: 'removed'; finding: FindingRecord; failed: Promise<ApiProblem | undefined> };

/** A review that a person works on. */
export type Work = ReturnType<typeof workOn>;

/** @param changed called after each change of what it holds */
export function workOn(id: string, changed: () => void) {
  const held = holdReview(id, changed);
  const queue = createQueue(changed);
  const { findings } = held;
  let done: Done[] = [];

  const add = async (
    body: NewFinding,
    { isQuiet = false, canUndo = true } = {},
  ): Promise<FindingRecord[] | ApiProblem> => {
    const entry: Done = { kind: 'added', outcome: changes.add(held, queue, body, isQuiet) };
    if (canUndo) done = [...done, entry];
    const added = await entry.outcome;
    if (!('before' in added)) done = done.filter((one) => one !== entry);
    changed();
    return 'before' in added ? added.findings : added;
  };
  const restore = (before: Before): void => {
    for (const verb of ['accept', 'reject', 'reset'] as const) {
      const changing = [...before].flatMap(([one, decision]) =>
        decision === decisionOf[verb] ? (findings.get(one) ?? []) : [],
      );
      if (changing.length > 0) void changes.decide(held, queue, changing, verb);
    }
  };
  return {
    held,
    findings: findings.all,
    get: findings.get,
    isSaving: queue.isSaving,
    refusal: queue.refusal,
    canUndo: () => done.length > 0,

    /** Decides those of the detector's findings whose decision differs. */
    async decide(ids: readonly string[], verb: DecisionVerb): Promise<void> {
      const changing = ids
        .flatMap((one) => findings.get(one) ?? [])
        .filter((one) => one.source === 'detector' && one.decision !== decisionOf[verb]);
      if (changing.length === 0) return;
      const before = new Map(changing.map((one) => [one.id, one.decision]));
      const entry: Done = { kind: 'decided', before };
      done = [...done, entry];
      if (!(await changes.decide(held, queue, changing, verb))) return;
      done = done.filter((one) => one !== entry);
      changed();
    },
    /** Changes the type of a finding, which accepts it. */
    async retype(finding: FindingRecord, type: string): Promise<void> {
      const entry: Done = { kind: 'retyped', finding };
      done = [...done, entry];
      const to = { type, decision: 'accepted' as const };
      if (!(await changes.retype(held, queue, finding.id, to))) return;
      done = done.filter((one) => one !== entry);
      changed();
    },
    /** Adds findings. With `isQuiet`, a rejection is only returned. */
    add: (body: NewFinding, isQuiet = false) => add(body, { isQuiet }),
    /** Deletes a finding that a person added. */
    async remove(finding: FindingRecord): Promise<void> {
      const failed = changes.remove(held, queue, finding);
      const entry: Done = { kind: 'removed', finding, failed };
      done = [...done, entry];
      if (await failed) done = done.filter((one) => one !== entry);
      changed();
    },
    /** Undoes the latest change, once it is saved; returns the finding to show. */
    async undo(): Promise<string | undefined> {
      const last = done.at(-1);
      if (!last) return undefined;
      done = done.slice(0, -1);
      if (last.kind === 'removed') {
        if (await last.failed) return undefined;
        const { page, boxes, range, type } = last.finding;
        // When it was added, its type was one that can be assigned.
        const place = range ? { page: page ?? 0, range } : { page: page ?? undefined, boxes };
        const again = { ...place, type } as NewFinding;
        void add(again, { canUndo: false });
        return undefined;
      }
      if (last.kind === 'retyped') {
        void changes.retype(held, queue, last.finding.id, last.finding);
        return last.finding.id;
      }
      const undone = last.kind === 'added' ? await last.outcome : last;
      if (!('before' in undone)) return undefined;
      const { before } = undone;
      for (const { id } of 'findings' in undone ? undone.findings : []) {
        const finding = before.has(id) ? undefined : findings.get(id);
        if (finding) void changes.remove(held, queue, finding);
      }
      restore(before);
      return before.keys().next().value;
    },
    /** Claims the review, or renews the claim. */
    claim: () =>
      queue.enqueue(async () => {
        held.review = (await send(requestFor('claimReview', { id }))).data;
      }),
    /** Updates the review from a response. */
    put(next: ReviewRecord): void {
      held.review = next;
      changed();
    },
  };
}
