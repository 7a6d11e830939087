import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, isMachineCode } from '@scriptorium/sandbox/errors';
import { errorFieldsOf, isDiskFull, isUnreachable } from '../db/errors.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage.ts';

/**
 * Whether the machine caused a failure: the disk is full, or Postgres or the storage is unavailable
 * or overloaded. Such work is retried without limit.
 */
export function isMachineFault(error: unknown): boolean {
  if (error instanceof EngineError) return error.code === 'machine_fault';
  if (error instanceof StorageError && storageFaults.has(error.code)) return true;
  if (isDiskFull(error) || isUnreachable(error)) return true;
  if (isMachineCode(errorFieldsOf(error).code) || isOverloaded(error)) return true;
  return error instanceof Error && error.cause !== undefined && isMachineFault(error.cause);
}

/** The pause before a retry after a fault of the machine. */
const retryPauseMs = 1_000;

/** Retries work that fails because of the machine, until it succeeds or the signal fires. */
export async function retryMachineFaults<T>(
  stopping: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isMachineFault(error) || stopping.aborted) throw error;
      await delay(retryPauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

const storageFaults: ReadonlySet<StorageErrorCode> = new Set(['storage_full', 'unavailable']);

/** A storage service that answers with 429 or 5xx, as reported by its client. */
function isOverloaded(error: unknown): boolean {
  const metadata: unknown =
    typeof error === 'object' && error !== null && '$metadata' in error ? error.$metadata : null;
  const status: unknown =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : null;
  return typeof status === 'number' && (status === 429 || status >= 500);
}
