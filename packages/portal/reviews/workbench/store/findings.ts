import type { FindingDecision } from '@scriptorium/contracts/reviews';
import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';

/** The loaded findings of a review, including decisions that the service has not confirmed yet. */
export interface HeldFindings {
  /** In reading order. */
  all(): readonly FindingRecord[];
  get(id: string): FindingRecord | undefined;
  put(records: readonly FindingRecord[]): void;
  drop(id: string): void;
  /** Shows a decision before it is confirmed. */
  expect(ids: readonly string[], decision: FindingDecision): void;
  /** Keeps an expected decision or, with `isConfirmed` false, shows the previous one again. */
  settle(ids: readonly string[], decision: FindingDecision, isConfirmed: boolean): void;
}

export function holdFindings(): HeldFindings {
  const known = new Map<string, FindingRecord>();
  const expected = new Map<string, FindingDecision>();
  let order: string[] | null = null;
  let shown: readonly FindingRecord[] | null = null;

  const get = (id: string): FindingRecord | undefined => {
    const finding = known.get(id);
    const decision = expected.get(id);
    return finding && decision !== undefined ? decided(finding, decision) : finding;
  };
  return {
    get,
    all() {
      order ??= [...known.values()].sort(inReadingOrder).map(({ id }) => id);
      shown ??= order.flatMap((id) => get(id) ?? []);
      return shown;
    },
    put(records) {
      for (const record of records) {
        const before = known.get(record.id);
        // A response that was in progress while a decision was confirmed is older than the
        // decision.
        if (before && before.version > record.version) continue;
        if (!before) order = null;
        known.set(record.id, record);
      }
      shown = null;
    },
    drop(id) {
      known.delete(id);
      order = null;
      shown = null;
    },
    expect(ids, decision) {
      for (const id of ids) expected.set(id, decision);
      shown = null;
    },
    settle(ids, decision, isConfirmed) {
      for (const id of ids) {
        const before = known.get(id);
        if (isConfirmed && before) {
          known.set(id, { ...decided(before, decision), version: before.version + 1 });
        }
        // A later decision may already be expected.
        if (expected.get(id) === decision) expected.delete(id);
      }
      shown = null;
    },
  };
}

/** Returns a finding after a decision. The service computes the painted boxes. */
function decided(finding: FindingRecord, decision: FindingDecision): FindingRecord {
  if (finding.decision === decision) return finding;
  const wasRejected = finding.decision === 'rejected';
  const removal = decision === 'rejected' ? [] : wasRejected ? null : finding.removal;
  return { ...finding, decision, removal };
}

/** Lines whose tops are closer than this, in points, are read as one. */
const line = 8;

function inReadingOrder(one: FindingRecord, other: FindingRecord): number {
  // Invisible content of a text comes last.
  const pages =
    (one.page ?? (one.range ? Infinity : 0)) - (other.page ?? (other.range ? Infinity : 0));
  if (pages !== 0 && !Number.isNaN(pages)) return pages;
  if (one.range && other.range) {
    return one.range.start - other.range.start || (one.id < other.id ? -1 : 1);
  }
  const [left = 0, top = 0] = one.boxes[0] ?? [];
  const [otherLeft = 0, otherTop = 0] = other.boxes[0] ?? [];
  const lines = Math.round(top / line) - Math.round(otherTop / line);
  return lines || left - otherLeft || (one.id < other.id ? -1 : 1);
}
