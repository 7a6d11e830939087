import {
  type FilterValue,
  type PayloadFilter,
  pointerFault,
} from '@scriptorium/contracts/events/payload-filter';
import { limits } from '@scriptorium/contracts/limits';
import { escapePointer, type Fault } from '@scriptorium/contracts/problems';

type Values = Exclude<FilterValue, null> | FilterValue[];

/** A filter as stored: every value is a list; null when it is empty. */
export function readFilter(given: Record<string, Values> | null | undefined): PayloadFilter | null {
  return mergeFilter(null, given ?? null);
}

/** Applies a merge patch (RFC 7396) to a filter: null removes a pointer, or all of them. */
export function mergeFilter(
  present: PayloadFilter | null,
  patch: Record<string, Values | null> | null | undefined,
): PayloadFilter | null {
  if (patch === undefined) return present;
  if (patch === null) return null;
  const merged = new Map(Object.entries(present ?? {}));
  for (const [pointer, values] of Object.entries(patch)) {
    if (values === null) merged.delete(pointer);
    else merged.set(pointer, Array.isArray(values) ? values : [values]);
  }
  return merged.size === 0 ? null : Object.fromEntries(merged);
}

/** Pointers that match nothing, and more entries than allowed. */
export function filterFaults(filter: PayloadFilter | null): Fault[] {
  const pointers = Object.keys(filter ?? {});
  const faults: Fault[] = pointers.flatMap((pointer) => {
    const detail = pointerFault(pointer);
    if (detail === null) return [];
    return [
      {
        pointer: `/filter/${escapePointer(pointer.slice(0, 100))}`,
        code: 'pointer_invalid',
        detail,
      },
    ];
  });
  const values = Object.values(filter ?? {}).flat().length;
  for (const [what, count, max] of [
    ['pointers', pointers.length, limits.webhook_filter_pointers],
    ['values', values, limits.webhook_filter_values],
  ] as const) {
    if (count <= max) continue;
    const detail = `A filter may have at most ${max} ${what}; this one has ${count}.`;
    faults.push({ pointer: '/filter', code: 'too_many', detail });
  }
  return faults;
}
