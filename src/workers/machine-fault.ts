import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, isMachineCode } from '@scriptorium/sandbox/errors';
import { faultOf, isDiskFull, isUnreachable } from '../db/faults.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage.ts';

/**
 * Whether a failure is the machine's, not the work's: a full disk, or Postgres or storage
 * unavailable or overloaded. Such work is retried without limit.
 */
export function isMachineFault(error: unknown): boolean {
  if (error instanceof EngineError) return error.code === 'machine_fault';
  if (error instanceof StorageError && storageFaults.has(error.code)) return true;
  if (isDiskFull(error) || isUnreachable(error)) return true;
  if (isMachineCode(faultOf(error).code) || isOverloaded(error)) return true;
  return error instanceof Error && error.cause !== undefined && isMachineFault(error.cause);
}

/** How long after a fault of the machine something is tried again. */
const pauseMs = 1_000;

/** Repeats work that fails because of the machine, until it is done or the signal fires. */
export async function outlastMachineFaults<T>(
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isMachineFault(error) || stopping.aborted) throw error;
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

const storageFaults: ReadonlySet<StorageErrorCode> = new Set(['storage_full', 'unavailable']);

/** A storage service that answers with 429 or 5xx, as reported by its client. */
function isOverloaded(error: unknown): boolean {
  const answer: unknown =
    typeof error === 'object' && error !== null && '$metadata' in error ? error.$metadata : null;
  const status: unknown =
    typeof answer === 'object' && answer !== null && 'httpStatusCode' in answer
      ? answer.httpStatusCode
      : null;
  return typeof status === 'number' && (status === 429 || status >= 500);
}
