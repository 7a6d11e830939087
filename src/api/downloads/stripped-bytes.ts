import { Problem } from '@scriptorium/contracts/problems';
import type { VariantName } from '@scriptorium/contracts/variants';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { strippedVariant } from '../../library/variants.ts';
import { awaitVariant, type WaitingRequest } from './await-variant.ts';

/**
 * Returns the bytes of a copy without metadata, which is delivered in place of the original.
 * @throws Problem 409 `state_conflict`: retryable while it is being created, otherwise with the
 *   reason
 */
export function awaitStrippedBytes(
  call: WaitingRequest,
  object: StoredObject,
  variant: VariantName,
): Promise<{ sha256: string; bytes: number }> {
  return awaitVariant(call, object, {
    ...strippedVariant(object.id, variant),
    timeoutDetail: 'The file is being prepared for delivery. Retry in a moment.',
    toProblem: ({ message, retryable }) =>
      new Problem(
        'state_conflict',
        `A policy requires delivery without metadata, which failed: ${message}`,
        retryable ? { retryable, headers: { 'Retry-After': '5' } } : {},
      ),
  });
}
