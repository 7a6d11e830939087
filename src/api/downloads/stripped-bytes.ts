import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.ts';
import type { VariantName } from '../../contracts/variants.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { findVariant, requestVariant } from '../../library/variants.ts';

/** How long a download waits for a variant to be made, and how often it checks. */
const patienceMs = 10_000;
const lookMs = 200;

/** A request that may wait, and whose client may disconnect. */
export interface Waiting {
  deps: { wake: () => void };
  signal: AbortSignal;
  inProject<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * The bytes of a variant that is delivered in place of the original. If a worker has yet to make
 * it, waits for a while, with no transaction open.
 * @throws Problem 409 `state_conflict`: `retryable` while it is being made, otherwise with the
 *   reason
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
        `A policy requires delivery without metadata, which failed: ${message}`,
        retryable ? { retryable, headers: { 'Retry-After': '5' } } : {},
      );
    }
    if (look === 0) call.deps.wake();
    if (Date.now() >= until || call.signal.aborted) break;
    await wait(lookMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem(
    'state_conflict',
    'The file is being prepared for delivery. Retry in a moment.',
    {
      retryable: true,
      headers: { 'Retry-After': '2' },
    },
  );
}
