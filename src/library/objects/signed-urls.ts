import type { Origin } from '@scriptorium/contracts/origin';
import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { decideSignedDownload, redactionIn } from '../../policies/enforce.ts';
import { chooseDelivery, type DownloadContent } from './delivery.ts';
import { enforceOrRedact } from './enforce-or-redact.ts';
import { findObject, requireAvailable } from './load.ts';

/** The target of a signed URL, and its maximum lifetime. */
interface SigningTarget {
  /** The requested object, or the redaction that policies on signing allow in its place. */
  object: StoredObject;
  ttlSeconds: number;
}

/**
 * Chooses the target of a signed URL for an object, and its lifetime: as requested, or shorter if a
 * policy on signing or downloading limits it. Policies on the action `sign` are applied only here.
 * @throws PolicyDenied (403), also for objects that are denied to every client; Problem 409
 *   `state_conflict` for an object that is not available
 */
export async function chooseSigningTarget(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  requestedSeconds: number,
): Promise<SigningTarget> {
  const target = await enforceSigning(tx, origin, object, requestedSeconds);
  requireAvailable(object);
  let { ttlSeconds } = target;
  // Follows redactions as the download will.
  for (let objectId = target.object.id; ; ) {
    const decision = await decideSignedDownload(tx, origin.projectId, objectId, {
      signed: true,
      ttlSeconds,
    });
    if (decision.decision === 'deny') {
      const { violations } = decision;
      const maxSeconds = maxLifetimeOf(violations);
      if (!maxSeconds)
        throw new PolicyDenied({ action: 'sign', resourceId: object.id, violations });
      ttlSeconds = maxSeconds;
      continue;
    }
    const redaction = redactionIn(decision);
    if (!redaction) return { object: target.object, ttlSeconds };
    objectId = redaction;
  }
}

async function enforceSigning(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  requestedSeconds: number,
): Promise<SigningTarget> {
  // The redaction may have a shorter maximum than the object, so this is repeated.
  for (let ttlSeconds = requestedSeconds; ; ) {
    try {
      const signing = { signed: true, ttlSeconds } as const;
      const allowed = await enforceOrRedact(tx, origin, object, { action: 'sign', signing });
      return { object: allowed.object, ttlSeconds };
    } catch (error) {
      const maxSeconds = error instanceof PolicyDenied && maxLifetimeOf(error.denial.violations);
      if (!maxSeconds) throw error;
      ttlSeconds = maxSeconds;
    }
  }
}

/**
 * The maximum lifetime, if it is the only violation; null if there are others.
 */
function maxLifetimeOf(violations: readonly Violation[]): number | null {
  const times = violations.map(({ code, parameters }) =>
    code === 'signed_url_ttl_too_long' ? Number(parameters.max_ttl_seconds) : Number.NaN,
  );
  const maxSeconds = Math.min(...times);
  return Number.isFinite(maxSeconds) ? maxSeconds : null;
}

/**
 * The content that a signed URL with this lifetime delivers; null if it can no longer be delivered.
 * Policies on the action `download` are applied to the use of signed URLs only here.
 * @throws PolicyDenied (403)
 */
export async function findDeliverable(
  tx: Tx,
  origin: Origin,
  objectId: string,
  ttlSeconds: number,
): Promise<DownloadContent | null> {
  const object = await findObject(tx, origin.projectId, objectId);
  if (object?.state !== 'available') return null;
  return chooseDelivery(tx, origin, object, { signed: true, ttlSeconds });
}
