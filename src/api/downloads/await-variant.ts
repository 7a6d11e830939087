import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '@scriptorium/contracts/problems';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { findVariant, requestVariant, type VariantRequest } from '../../library/variants.ts';

/** The maximum time that a request waits for a variant, and the polling interval. */
const maxWaitMs = 10_000;
const pollIntervalMs = 200;

/** A request that may wait, and whose client may disconnect. */
export interface WaitingRequest {
  deps: { wake: () => void };
  signal: AbortSignal;
  inProject<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The variant that a request waits for. */
interface AwaitedVariant extends VariantRequest {
  /** Runs before the variant is requested; throws if the request is not allowed. */
  beforeRequest?(tx: Tx): Promise<void>;
  /** The problem if the variant cannot be created. */
  toProblem(error: Failure): Problem;
  /** The detail of the problem if no worker has created it in time. */
  timeoutDetail: string;
}

/**
 * Returns the bytes of a variant of an object. Waits for a limited time if no worker has created it
 * yet. No transaction is open while waiting.
 * @throws Problem from `toProblem`, or a retryable 409 `state_conflict` if it is not ready in time
 */
export async function awaitVariant(
  call: WaitingRequest,
  { projectId, id }: StoredObject,
  wanted: AwaitedVariant,
): Promise<{ sha256: string; bytes: number }> {
  const deadline = performance.now() + maxWaitMs;
  for (let attempt = 0; ; attempt++) {
    const variant = await call.inProject(async (tx) => {
      const found = await findVariant(tx, projectId, id, wanted.variant);
      if (attempt > 0 || (found && !found.error?.retryable)) return found;
      await wanted.beforeRequest?.(tx);
      await requestVariant(tx, projectId, id, wanted);
      return null;
    });
    if (variant?.sha256 && variant.bytes !== null)
      return { sha256: variant.sha256, bytes: variant.bytes };
    if (variant?.error) throw wanted.toProblem(variant.error);
    if (attempt === 0) call.deps.wake();
    if (performance.now() >= deadline || call.signal.aborted) break;
    await wait(pollIntervalMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
  throw new Problem('state_conflict', wanted.timeoutDetail, {
    retryable: true,
    headers: { 'Retry-After': '2' },
  });
}
