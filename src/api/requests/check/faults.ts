import { escapePointer, type Fault, mostFaults } from '../../../contracts/problems.ts';

/** How many characters all of them may take: a body of 1 MiB must not be answered with more. */
const mostCharacters = 64 * 1024;
/** How long a pointer may be; a longer one is cut to what holds the value. */
const mostPointer = 1_000;

/** Where a value stands: null is the whole body. Pointers are written for faults only. */
export type Place = { readonly parent: Place; readonly key: string | number } | null;

/** A value inside another. */
export function inside(parent: Place, key: string | number): Place {
  return { parent, key };
}

/** The JSON pointer (RFC 6901) of a place, or of the nearest one around it whose pointer is short. */
export function pointerTo(place: Place): string {
  const keys: (string | number)[] = [];
  for (let at = place; at !== null; at = at.parent) keys.push(at.key);
  let pointer = '';
  for (const key of keys.reverse()) {
    const raw = String(key);
    if (pointer.length + raw.length > mostPointer) break;
    pointer += `/${escapePointer(raw)}`;
  }
  return pointer;
}

/** Text of the client's, fit to be quoted: ASCII that prints, at most 100 characters. */
export function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}

/**
 * The faults of one request: each pointer once, and no more than can be read. What fills it stops
 * looking once it is `full`.
 */
export class Faults {
  readonly list: Fault[] = [];
  readonly #pointers = new Set<string>();
  #characters = 0;
  #repeated = 0;

  get full(): boolean {
    return (
      this.list.length >= mostFaults ||
      this.#characters >= mostCharacters ||
      this.#repeated >= mostFaults
    );
  }

  /** Whether this value has a fault already: one more of the same value would only repeat it. */
  has(place: Place): boolean {
    return this.list.length > 0 && this.#pointers.has(pointerTo(place));
  }

  add(place: Place, code: string, detail: string, allowed?: Fault['allowed']): void {
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
