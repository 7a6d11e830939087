import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, Problem } from '@scriptorium/contracts/problems';
import type { PolicyAction } from '@scriptorium/contracts/rules';
import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import type { Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { insertDenialCodes } from './denial-queries.ts';

/** The denied action and its resource; null for one that does not exist yet. */
export interface Denial {
  action: PolicyAction;
  resourceId: string | null;
  /** The file to upload, if the action is an upload. */
  file?: DeniedFile | undefined;
  violations: readonly Violation[];
  /** The denials that policies in audit mode would also have made. */
  observed?: readonly Violation[];
}

/** Identifies a denied file. */
export interface DeniedFile {
  filename: string | null;
  /** Null until all bytes have arrived. */
  sha256: string | null;
}

/** The actions as nouns, for messages. */
const actionNouns: Record<PolicyAction, string> = {
  upload: 'the upload',
  read: 'reading',
  download: 'the download',
  sign: 'the signed URL',
  process: 'processing',
  delete: 'the deletion',
};

/** A policy denies an action: 403, with the violations and their remedies. */
export class PolicyDenied extends Problem {
  readonly denial: Denial;

  /** @param errors the denied resources, if several are named */
  constructor(denial: Denial, errors?: Fault[]) {
    const [first] = denial.violations;
    super('policy_denied', `A policy denies ${actionNouns[denial.action]}. ${first?.detail}`, {
      extra: { violations: denial.violations },
      ...(errors ? { errors } : {}),
    });
    this.denial = denial;
  }
}

/**
 * Records a denial after its transaction was rolled back, including violations of policies in audit mode.
 * @param isMerged records at most one event per key, rule, resource and minute, to bound a flood
 */
export async function recordRolledBackDenial(
  tx: Tx,
  origin: Origin,
  denial: Denial,
  isMerged = false,
): Promise<void> {
  const { observed = [] } = denial;
  await recordDenial(tx, origin, 'denied', denial, isMerged);
  if (observed.length === 0) return;
  await recordDenial(tx, origin, 'denial_observed', { ...denial, violations: observed });
}

/**
 * Records that policies denied an action (`denied`: each time, for each rule), or would have denied it if
 * they were not in audit mode (`denial_observed`: at most one event per key, policy, rule and minute,
 * since nothing else bounds the number of successful actions).
 */
export async function recordDenial(
  tx: Tx,
  origin: Origin,
  kind: 'denied' | 'denial_observed',
  denial: Denial,
  isMerged = kind === 'denial_observed',
): Promise<void> {
  const violations = isMerged ? await findUnrecorded(tx, origin, kind, denial) : denial.violations;
  if (violations.length === 0) return;
  const rules = new Map(violations.map((one) => [`${one.policy_id} ${one.rule_type}`, one]));
  const { action, resourceId, file } = denial;
  await record(
    tx,
    origin,
    ...[...rules.values()].map(({ policy_id, rule_type }) => ({
      type: `dam.policy.${kind}` as const,
      resourceId: policy_id,
      data: { action, rule_type, resource_id: resourceId, ...file },
    })),
  );
}

/** The violations not yet recorded for this key in this minute. */
async function findUnrecorded(
  tx: Tx,
  origin: Origin,
  kind: 'denied' | 'denial_observed',
  { resourceId, violations }: Denial,
): Promise<Violation[]> {
  const violationsByCode = new Map(
    violations.map((violation) => {
      const { policy_id: policyId, rule_type: ruleType } = violation;
      const codeParts = [`policy_${kind}`, policyId, ruleType];
      return [
        (kind === 'denied' ? [...codeParts, resourceId ?? ''] : codeParts).join(' '),
        violation,
      ];
    }),
  );
  const key = { projectId: origin.projectId, keyId: origin.actor.id ?? '' };
  const newCodes = await insertDenialCodes(tx, key, [...violationsByCode.keys()]);
  return newCodes.map((mark) => violationsByCode.get(mark)!);
}
