import { escapePointer, type Fault, maxFaults } from '@scriptorium/contracts/problems';

/**
 * The maximum length of all faults together, so that a large body does not cause a larger response.
 */
const maxCharacters = 64 * 1024;
/** The maximum length of a pointer. A longer one is cut to an enclosing value. */
const maxPointer = 1_000;

/** The place of a value; null for the whole body. Pointers are only built for faults. */
export type ValuePlace = { readonly parent: ValuePlace; readonly key: string | number } | null;

/** The place of a nested value. */
export function inside(parent: ValuePlace, key: string | number): ValuePlace {
  return { parent, key };
}

/**
 * The place for a pointer, or for a field below it; an enclosing place if the pointer is too long.
 */
export function placeOf(pointer: string, field?: string): ValuePlace {
  if (pointer.length > maxPointer) {
    return placeOf(pointer.slice(0, pointer.lastIndexOf('/', maxPointer)));
  }
  const keys = pointer.split('/').slice(1);
  const place = keys.reduce<ValuePlace>(
    (at, key) => inside(at, key.replaceAll('~1', '/').replaceAll('~0', '~')),
    null,
  );
  return field === undefined ? place : inside(place, field);
}

/**
 * The JSON pointer (RFC 6901) of a place, or of the nearest enclosing place with a short pointer.
 */
function pointerTo(place: ValuePlace): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== null; at = at.parent) keys.push(at.key);
  let pointer = '';
  for (const key of keys.reverse()) {
    const raw = String(key);
    if (pointer.length + raw.length > maxPointer) break;
    pointer += `/${escapePointer(raw)}`;
  }
  return pointer;
}

/** Client text made safe to quote: printable ASCII, at most 100 characters. */
export function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}

/**
 * The faults of one request: one per pointer, and a bounded number. Checks stop once it is `full`.
 */
export class Faults {
  readonly list: Fault[] = [];
  readonly #pointers = new Set<string>();
  #characters = 0;
  #repeated = 0;

  get full(): boolean {
    return (
      this.list.length >= maxFaults ||
      this.#characters >= maxCharacters ||
      this.#repeated >= maxFaults
    );
  }

  /** Whether this value already has a fault. */
  has(place: ValuePlace): boolean {
    return this.list.length > 0 && this.#pointers.has(pointerTo(place));
  }

  add(place: ValuePlace, code: string, detail: string, allowed?: Fault['allowed']): void {
    if (this.full) return;
    const pointer = pointerTo(place);
    if (this.#pointers.has(pointer)) {
      this.#repeated += 1;
      return;
    }
    this.#pointers.add(pointer);
    this.list.push({ pointer, code, detail, ...(allowed ? { allowed } : {}) });
    this.#characters += pointer.length + detail.length + sizeOf(allowed);
  }
}

function sizeOf(allowed: Fault['allowed']): number {
  return (allowed ?? []).reduce<number>((size, one) => size + String(one).length + 3, 0);
}
