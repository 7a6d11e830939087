import { invalidParameter } from '@scriptorium/contracts/problems';
import type { FilterFault } from '../../library/filter-faults.ts';

/**
 * Rejects invalid filters.
 * @throws Problem 400 with all faults
 */
export function rejectFilterFaults(faults: readonly FilterFault[]): void {
  if (faults.length === 0) return;
  throw invalidParameter(...faults.map(({ field, ...fault }) => ({ parameter: field, ...fault })));
}
