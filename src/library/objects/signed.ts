import type { Origin } from '../../contracts/origin.ts';
import type { Violation } from '../../contracts/wire/policy-decisions.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { enforce, foreseeDownload } from '../../policies/enforce.ts';
import { chooseDelivery, type DownloadContent } from './delivery.ts';
import { findObject, requireAvailable } from './load.ts';

/**
 * How long a signed URL for an object may be valid: as long as requested, or less if a policy on
 * signing or downloading limits it. Policies on the action `sign` are applied only here.
 * @throws PolicyDenied (403), also for what is denied to every client; Problem 409 `state_conflict`
 *   for an object that is not available
 */
export async function signableSeconds(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  wishedSeconds: number,
): Promise<number> {
  let ttlSeconds = wishedSeconds;
  const sign = () =>
    enforce(tx, origin, {
      action: 'sign',
      objectId: object.id,
      signing: { signed: true, ttlSeconds },
    });
  try {
    await sign();
  } catch (error) {
    const longest = error instanceof PolicyDenied && longestOf(error.denial.violations);
    if (!longest) throw error;
    ttlSeconds = longest;
    await sign();
  }
  requireAvailable(object);
  // Follows redactions as the download will.
  for (let at = object.id; ; ) {
    const decision = await foreseeDownload(tx, origin.projectId, at, { signed: true, ttlSeconds });
    if (decision.decision === 'deny') {
      const { violations } = decision;
      const longest = longestOf(violations);
      if (!longest) throw new PolicyDenied({ action: 'sign', resourceId: object.id, violations });
      ttlSeconds = longest;
      continue;
    }
    const redaction = decision.obligations.find(({ type }) => type === 'serve_redacted');
    if (redaction?.type !== 'serve_redacted') return ttlSeconds;
    at = redaction.object_id;
  }
}

/** The longest time allowed, if only the time is too long; null if there are other violations. */
function longestOf(violations: readonly Violation[]): number | null {
  const times = violations.map(({ code, parameters }) =>
    code === 'signed_url_ttl_too_long' ? Number(parameters.max_ttl_seconds) : Number.NaN,
  );
  const longest = Math.min(...times);
  return Number.isFinite(longest) ? longest : null;
}

/**
 * What a signed URL with this lifetime delivers; null if it can no longer be delivered. Policies on
 * the action `download` are applied to the use of signed URLs only here.
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
