import { checkBytes } from './bytes.ts';
import type { Check, CheckInput } from './check-input.ts';
import { checkCounters } from './counters.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkEffects } from './effects.ts';
import { checkFeed } from './feed.ts';
import { checkRows } from './rows.ts';
import { checkWork } from './work.ts';

const checks = {
  effects: checkEffects,
  rows: checkRows,
  feed: checkFeed,
  deliveries: checkDeliveries,
  work: checkWork,
  counters: checkCounters,
  bytes: checkBytes,
} as const satisfies Record<string, Check>;

/** Found during a run. */
const otherCheckNames = ['answers', 'quiet', 'programs'] as const;

export type CheckName = keyof typeof checks | (typeof otherCheckNames)[number];

export const checkNames: readonly string[] = [...Object.keys(checks), ...otherCheckNames];

/** A violation, and the check that found it. */
export interface Violation {
  check: CheckName;
  what: string;
}

export async function runChecks(input: CheckInput): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [name, check] of Object.entries(checks) as [keyof typeof checks, Check][]) {
    for (const what of await check(input)) violations.push({ check: name, what });
  }
  return violations;
}
