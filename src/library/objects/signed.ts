import type { Origin } from '@scriptorium/contracts/origin';
import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { decideSignedDownload, redactionIn } from '../../policies/enforce.ts';
import { chooseDelivery, type DownloadContent } from './delivery.ts';
import { findObject, requireAvailable } from './load.ts';
import { enforceOrRedact } from './redacted.ts';

/** The target of a signed URL, and its maximum lifetime. */
interface Signable {
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
export async function chooseSignable(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  wishedSeconds: number,
): Promise<Signable> {
  const signable = await sign(tx, origin, object, wishedSeconds);
  requireAvailable(object);
  let { ttlSeconds } = signable;
  // Follows redactions as the download will.
  for (let at = signable.object.id; ; ) {
    const decision = await decideSignedDownload(tx, origin.projectId, at, {
      signed: true,
      ttlSeconds,
    });
    if (decision.decision === 'deny') {
      const { violations } = decision;
      const longest = longestOf(violations);
      if (!longest) throw new PolicyDenied({ action: 'sign', resourceId: object.id, violations });
      ttlSeconds = longest;
      continue;
    }
    const redaction = redactionIn(decision);
    if (!redaction) return { object: signable.object, ttlSeconds };
    at = redaction;
  }
}

async function sign(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  wishedSeconds: number,
): Promise<Signable> {
  // The redaction may have a shorter maximum than the object, so this is repeated.
  for (let ttlSeconds = wishedSeconds; ; ) {
    try {
      const signing = { signed: true, ttlSeconds } as const;
      const signed = await enforceOrRedact(tx, origin, object, { action: 'sign', signing });
      return { object: signed.object, ttlSeconds };
    } catch (error) {
      const longest = error instanceof PolicyDenied && longestOf(error.denial.violations);
      if (!longest) throw error;
      ttlSeconds = longest;
    }
  }
}

/**
 * The longest allowed lifetime, if only the lifetime is too long; null if there are other
 * violations.
 */
function longestOf(violations: readonly Violation[]): number | null {
  const times = violations.map(({ code, parameters }) =>
    code === 'signed_url_ttl_too_long' ? Number(parameters.max_ttl_seconds) : Number.NaN,
  );
  const longest = Math.min(...times);
  return Number.isFinite(longest) ? longest : null;
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
