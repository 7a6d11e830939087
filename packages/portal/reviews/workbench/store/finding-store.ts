import type { FindingDecision } from '@scriptorium/contracts/reviews';
import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';

type Decider = FindingRecord['decided_by'];

/** The loaded findings of a review, including decisions that the service has not confirmed yet. */
export interface FindingStore {
  /** In reading order. */
  all(): readonly FindingRecord[];
  get(id: string): FindingRecord | undefined;
  put(records: readonly FindingRecord[]): void;
  drop(id: string): void;
  /** Shows a decision before it is confirmed. */
  expect(ids: readonly string[], decision: FindingDecision): void;
  /** Keeps an expected decision, which the service has confirmed. */
  confirm(ids: readonly string[], decision: FindingDecision, decidedBy: Decider): void;
  /** Shows the decision before an expected one again, which the service has rejected. */
  revert(ids: readonly string[], decision: FindingDecision): void;
}

export function createFindingStore(): FindingStore {
  const recordsById = new Map<string, FindingRecord>();
  const unconfirmed = new Map<string, FindingDecision>();
  let sortedIds: string[] | null = null;
  let cachedList: readonly FindingRecord[] | null = null;

  const get = (id: string): FindingRecord | undefined => {
    const finding = recordsById.get(id);
    const decision = unconfirmed.get(id);
    return finding && decision !== undefined ? withDecision(finding, decision) : finding;
  };
  const forgetExpected = (ids: readonly string[], decision: FindingDecision): void => {
    for (const id of ids) {
      // A later decision may already be expected.
      if (unconfirmed.get(id) === decision) unconfirmed.delete(id);
    }
    cachedList = null;
  };
  return {
    get,
    all() {
      sortedIds ??= [...recordsById.values()].sort(compareReadingOrder).map(({ id }) => id);
      cachedList ??= sortedIds.flatMap((id) => get(id) ?? []);
      return cachedList;
    },
    put(records) {
      for (const record of records) {
        const existing = recordsById.get(record.id);
        // A response requested before a decision was confirmed may be older than the decision.
        if (existing && existing.version > record.version) continue;
        if (!existing) sortedIds = null;
        recordsById.set(record.id, record);
      }
      cachedList = null;
    },
    drop(id) {
      recordsById.delete(id);
      sortedIds = null;
      cachedList = null;
    },
    expect(ids, decision) {
      for (const id of ids) unconfirmed.set(id, decision);
      cachedList = null;
    },
    confirm(ids, decision, decidedBy) {
      for (const id of ids) {
        const existing = recordsById.get(id);
        if (!existing) continue;
        recordsById.set(id, {
          ...withDecision(existing, decision),
          decided_by: decision === 'pending' ? null : decidedBy,
          version: existing.version + 1,
        });
      }
      forgetExpected(ids, decision);
    },
    revert: forgetExpected,
  };
}

/** Returns a finding with a decision. The service computes the boxes to paint over. */
function withDecision(finding: FindingRecord, decision: FindingDecision): FindingRecord {
  if (finding.decision === decision) return finding;
  const wasRejected = finding.decision === 'rejected';
  const removal = decision === 'rejected' ? [] : wasRejected ? null : finding.removal;
  return { ...finding, decision, removal };
}

/** Lines whose tops are closer than this, in points, are read as one. */
const lineTolerance = 8;

function compareReadingOrder(a: FindingRecord, b: FindingRecord): number {
  // Invisible content of a text comes last.
  const pageOrder = (a.page ?? (a.range ? Infinity : 0)) - (b.page ?? (b.range ? Infinity : 0));
  if (pageOrder !== 0 && !Number.isNaN(pageOrder)) return pageOrder;
  if (a.range && b.range) {
    return a.range.start - b.range.start || (a.id < b.id ? -1 : 1);
  }
  const [left = 0, top = 0] = a.boxes[0] ?? [];
  const [otherLeft = 0, otherTop = 0] = b.boxes[0] ?? [];
  const lineOrder = Math.round(top / lineTolerance) - Math.round(otherTop / lineTolerance);
  return lineOrder || left - otherLeft || (a.id < b.id ? -1 : 1);
}
