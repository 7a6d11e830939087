import {
  type FilterValue,
  type PayloadFilter,
  pointerFault,
} from '@scriptorium/contracts/events/payload-filter';
import { limits } from '@scriptorium/contracts/limits';
import { escapePointer, type Fault } from '@scriptorium/contracts/problems';

type FilterValues = Exclude<FilterValue, null> | FilterValue[];

/** Converts a filter to its stored form, in which every value is a list; null if it is empty. */
export function readFilter(
  filter: Record<string, FilterValues> | null | undefined,
): PayloadFilter | null {
  return mergeFilter(null, filter ?? null);
}

/** Applies a merge patch (RFC 7396) to a filter: null removes a pointer, or all of them. */
export function mergeFilter(
  current: PayloadFilter | null,
  patch: Record<string, FilterValues | null> | null | undefined,
): PayloadFilter | null {
  if (patch === undefined) return current;
  if (patch === null) return null;
  const merged = new Map(Object.entries(current ?? {}));
  for (const [pointer, values] of Object.entries(patch)) {
    if (values === null) merged.delete(pointer);
    else merged.set(pointer, Array.isArray(values) ? values : [values]);
  }
  return merged.size === 0 ? null : Object.fromEntries(merged);
}

/** The faults of a filter: pointers that match nothing, and too many entries. */
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
  for (const [noun, count, max] of [
    ['pointers', pointers.length, limits.webhook_filter_pointers],
    ['values', values, limits.webhook_filter_values],
  ] as const) {
    if (count <= max) continue;
    const detail = `A filter can have at most ${max} ${noun}; this one has ${count}.`;
    faults.push({ pointer: '/filter', code: 'too_many', detail });
  }
  return faults;
}
