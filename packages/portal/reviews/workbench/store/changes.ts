import {
  type DecisionVerb,
  decisionOf,
  type FindingDecision,
} from '@scriptorium/contracts/reviews';
import type { FindingRecord, NewFinding } from '@scriptorium/contracts/wire/reviews';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import type { Held } from './held.ts';
import type { Queue } from './queue.ts';

/** The API takes at most this many findings in one request. */
const perRequest = 1000;

/** Decides findings: shown at once, and sent after earlier changes. */
export async function decide(
  held: Held,
  { enqueue }: Queue,
  changing: readonly FindingRecord[],
  verb: DecisionVerb,
): Promise<ApiProblem | undefined> {
  const { findings } = held;
  const decision = decisionOf[verb];
  const ids = changing.map(({ id }) => id);
  findings.expect(ids, decision);
  const failed = await enqueue(async () => {
    for (let at = 0; at < ids.length; at += perRequest) {
      const some = ids.slice(at, at + perRequest);
      try {
        const { data } = await send(
          requestFor('decideFindings', { id: held.id, body: { ids: some, decision: verb } }),
        );
        held.review = data.review;
        findings.settle(some, decision, true);
      } catch (error) {
        findings.settle(ids.slice(at), decision, false);
        throw error;
      }
    }
  });
  follow(
    held,
    changing.filter((one) => one.decision === 'rejected' || decision === 'rejected'),
  );
  return failed;
}

/** Changes the type of a finding, and its decision. */
export async function retype(
  held: Held,
  { enqueue }: Queue,
  id: string,
  to: { type: string; decision: FindingDecision },
): Promise<ApiProblem | undefined> {
  const { findings } = held;
  const before = findings.get(id);
  const failed = await enqueue(async () => {
    const verb = verbOf(to.decision);
    const { data } = await send(
      requestFor('decideFindings', {
        id: held.id,
        body: { ids: [id], decision: verb, type: to.type },
      }),
    );
    held.review = data.review;
    const now = findings.get(id);
    if (now) findings.put([{ ...now, type: to.type }]);
    findings.settle([id], to.decision, true);
  });
  if (before && (before.decision === 'rejected') !== (to.decision === 'rejected')) {
    follow(held, [before]);
  }
  return failed;
}

const verbs = ['accept', 'reject', 'reset'] as const;

/** Returns the verb that results in a decision. */
function verbOf(decision: FindingDecision): DecisionVerb {
  return verbs.find((verb) => decisionOf[verb] === decision) ?? 'reset';
}

/** The added findings, and the previous decisions of findings that already covered a place. */
export interface Added {
  findings: FindingRecord[];
  before: ReadonlyMap<string, FindingDecision>;
}

/** Adds findings. With `isQuiet`, a rejection is only returned. */
export async function add(
  held: Held,
  { enqueue }: Queue,
  body: NewFinding,
  isQuiet: boolean,
): Promise<Added | ApiProblem> {
  const before = new Map<string, FindingDecision>();
  let findings: FindingRecord[] = [];
  const failed = await enqueue(async () => {
    const { data } = await send(requestFor('addFindings', { id: held.id, body }));
    for (const { id } of data.data) {
      const known = held.findings.get(id);
      if (known) before.set(id, known.decision);
    }
    held.review = data.review;
    findings = data.data;
    held.findings.put(findings);
  }, isQuiet);
  follow(held, findings);
  return failed ?? { findings, before };
}

/** Deletes a finding that a person added. */
export async function remove(
  held: Held,
  { enqueue }: Queue,
  finding: FindingRecord,
): Promise<ApiProblem | undefined> {
  const failed = await enqueue(async () => {
    const { data } = await send(
      requestFor('removeFinding', { id: held.id, finding_id: finding.id }),
    );
    held.review = data.review;
    held.findings.drop(finding.id);
  });
  if (!failed) follow(held, [finding]);
  return failed;
}

function follow(held: Held, findings: readonly FindingRecord[]): void {
  // Ranges are removed unchanged, so there is nothing to compute.
  if (held.review?.located_by === 'ranges') return;
  for (const page of new Set(findings.flatMap(({ page }) => page ?? []))) held.follow(page);
}
