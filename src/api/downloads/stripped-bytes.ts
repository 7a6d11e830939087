import { Problem } from '@scriptorium/contracts/problems';
import type { VariantName } from '@scriptorium/contracts/variants';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { strippedVariant } from '../../library/variants.ts';
import { awaitVariant, type Waiting } from './await-variant.ts';

/**
 * The bytes of a copy without metadata that is delivered in place of the original.
 * @throws Problem 409 `state_conflict`: `retryable` while it is being made, otherwise with the
 *   reason
 */
export function strippedBytes(
  call: Waiting,
  object: StoredObject,
  variant: VariantName,
): Promise<{ sha256: string; bytes: number }> {
  return awaitVariant(call, object, {
    ...strippedVariant(object.id, variant),
    late: 'The file is being prepared for delivery. Retry in a moment.',
    failed: ({ message, retryable }) =>
      new Problem(
        'state_conflict',
        `A policy requires delivery without metadata, which failed: ${message}`,
        retryable ? { retryable, headers: { 'Retry-After': '5' } } : {},
      ),
  });
}
