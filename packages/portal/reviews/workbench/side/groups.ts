import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { type FindingOutcome, outcomeOf, pageOf } from '../../finding-text.ts';

/** The order of the list: the least certain values first, or in reading order. */
export type GroupOrder = 'doubt' | 'page';

/** Findings of the same type and value, which are decided together. */
export interface FindingGroup {
  /** At least one, in reading order. */
  findings: readonly FindingRecord[];
  /** The outcome that all have; pending if one is pending, otherwise mixed. */
  outcome: FindingOutcome | 'mixed';
  /** The lowest score; null for findings that people added. */
  score: number | null;
  /** The number of different pages. */
  pageCount: number;
}

/**
 * Groups findings by type and value, ignoring case and spaces. Findings that a person added, and
 * those whose value the user may not read, are groups of their own.
 * @param findings in reading order
 */
export function groupFindings(
  findings: readonly FindingRecord[],
  order: GroupOrder,
): readonly FindingGroup[] {
  const byKey = new Map<string, FindingRecord[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = byKey.get(key);
    if (group) group.push(finding);
    else byKey.set(key, [finding]);
  }
  const groups = [...byKey.values()].map(describeGroup);
  // Sorting is stable, so equally certain values stay in reading order.
  return order === 'page' ? groups : groups.toSorted((a, b) => certainty(a) - certainty(b));
}

function keyOf({ id, type, text, source }: FindingRecord): string {
  if (text === null || source === 'person') return id;
  return `${type} ${text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()}`;
}

function describeGroup(findings: readonly FindingRecord[]): FindingGroup {
  const scores = findings.flatMap(({ score }) => score ?? []);
  return {
    findings,
    outcome: commonOutcome(findings),
    score: scores.length === 0 ? null : Math.min(...scores),
    pageCount: new Set(findings.map(pageOf)).size,
  };
}

function commonOutcome(findings: readonly FindingRecord[]): FindingGroup['outcome'] {
  const found = new Set(findings.map(outcomeOf));
  if (found.has('pending')) return 'pending';
  const [first = 'pending'] = found;
  return found.size === 1 ? first : 'mixed';
}

/** Scores are at most 1. Findings that people added come last. */
const certainty = ({ score }: FindingGroup): number => score ?? 2;

/** Returns the group that contains a finding. */
export function groupWith(
  groups: readonly FindingGroup[],
  id: string | undefined,
): FindingGroup | undefined {
  return id === undefined
    ? undefined
    : groups.find(({ findings }) => findings.some((one) => one.id === id));
}

/**
 * Returns the findings that a decision about a group changes: the pending ones. Once all are
 * decided, it changes all, or only the current one if they were decided differently.
 */
export function findingsToDecide(
  { findings, outcome }: FindingGroup,
  current?: FindingRecord,
): readonly FindingRecord[] {
  const pending = findings.filter((one) => outcomeOf(one) === 'pending');
  if (pending.length > 0) return pending;
  return outcome === 'mixed' && current ? [current] : findings;
}

/** Returns the finding that represents a group: the first one to decide. */
export function leadOf(group: FindingGroup): FindingRecord {
  return findingsToDecide(group)[0]!;
}

/** Returns the group before or after the current one; the first without a current one. */
export function adjacentGroup(
  groups: readonly FindingGroup[],
  current: FindingGroup | undefined,
  direction: 1 | -1,
): FindingGroup | undefined {
  const at = current ? groups.indexOf(current) : -1;
  return at < 0 ? groups[0] : groups[at + direction];
}

/** Returns up to `limit` pending groups after the current one, continuing from the start. */
export function nextPendingGroups(
  groups: readonly FindingGroup[],
  current: FindingGroup | undefined,
  limit: number,
): readonly FindingGroup[] {
  const at = current ? groups.indexOf(current) : -1;
  const next: FindingGroup[] = [];
  for (let step = 1; step <= groups.length && next.length < limit; step += 1) {
    const group = groups[(at + step) % groups.length]!;
    if (group !== current && group.outcome === 'pending') next.push(group);
  }
  return next;
}
