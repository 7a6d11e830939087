import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.ts';
import type { VariantName } from '../../contracts/variants.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { findVariant, requestVariant } from '../../library/variants.ts';

/** How long a download waits for a variant that is being made, and how often it looks. */
const patienceMs = 10_000;
const lookMs = 200;

/** Who asked, and may leave before it is there. */
export interface Waiting {
  deps: { wake: () => void };
  signal: AbortSignal;
  inProject<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * The bytes that are delivered in place of an object's own: a variant that a worker makes. Asked for
 * before that, it waits a while, with no transaction open.
 * @throws Problem 409 `state_conflict`: `retryable` while it is being made, else with the reason
 */
export async function strippedBytes(
  call: Waiting,
  object: StoredObject,
  variant: VariantName,
): Promise<{ sha256: string; bytes: number }> {
  const { projectId, id } = object;
  const until = Date.now() + patienceMs;
  for (let look = 0; ; look++) {
    const made = await call.inProject(async (tx) => {
      const found = await findVariant(tx, projectId, id, variant);
      if (look > 0 || (found && !found.error?.retryable)) return found;
      await requestVariant(tx, projectId, id, variant);
      return null;
    });
    if (made?.sha256 && made.bytes !== null) return { sha256: made.sha256, bytes: made.bytes };
    if (made?.error) {
      const { message, retryable } = made.error;
      throw new Problem(
        'state_conflict',
        `It cannot be delivered without its metadata, as a policy demands. ${message}`,
        retryable ? { retryable, headers: { 'Retry-After': '5' } } : {},
      );
    }
    if (look === 0) call.deps.wake();
    if (Date.now() >= until || call.signal.aborted) break;
    await wait(lookMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem('state_conflict', 'It is being prepared for delivery; ask again.', {
    retryable: true,
    headers: { 'Retry-After': '2' },
  });
}
