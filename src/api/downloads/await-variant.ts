import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '@scriptorium/contracts/problems';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { findVariant, requestVariant, type WantedVariant } from '../../library/variants.ts';

/** How long a request waits for a variant to be made, and how often it checks. */
const patienceMs = 10_000;
const lookMs = 200;

/** A request that may wait, and whose client may disconnect. */
export interface Waiting {
  deps: { wake: () => void };
  signal: AbortSignal;
  inProject<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The variant that a request waits for. */
interface Awaited extends WantedVariant {
  /** Runs before the variant is requested; throws if the request is not allowed. */
  beforeRequest?(tx: Tx): Promise<void>;
  /** The response if it cannot be made. */
  failed(error: Failure): Problem;
  /** The response if no worker has made it after a while. */
  late: string;
}

/**
 * The bytes of a variant of an object. If no worker has made it yet, waits for a while, with no
 * transaction open.
 * @throws Problem what `failed` returns, or 409 `state_conflict`, `retryable`, while it is being
 *   made
 */
export async function awaitVariant(
  call: Waiting,
  { projectId, id }: StoredObject,
  wanted: Awaited,
): Promise<{ sha256: string; bytes: number }> {
  const until = performance.now() + patienceMs;
  for (let look = 0; ; look++) {
    const made = await call.inProject(async (tx) => {
      const found = await findVariant(tx, projectId, id, wanted.variant);
      if (look > 0 || (found && !found.error?.retryable)) return found;
      await wanted.beforeRequest?.(tx);
      await requestVariant(tx, projectId, id, wanted);
      return null;
    });
    if (made?.sha256 && made.bytes !== null) return { sha256: made.sha256, bytes: made.bytes };
    if (made?.error) throw wanted.failed(made.error);
    if (look === 0) call.deps.wake();
    if (performance.now() >= until || call.signal.aborted) break;
    await wait(lookMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem('state_conflict', wanted.late, {
    retryable: true,
    headers: { 'Retry-After': '2' },
  });
}
