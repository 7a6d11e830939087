import { escapePointer, type Fault, maxFaults } from '@scriptorium/contracts/problems';

/**
 * The maximum total length of faults, so that a large body does not cause a larger response.
 */
const maxTotalCharacters = 64 * 1024;
/** The maximum length of a pointer. Longer pointers are truncated to an enclosing value. */
const maxPointerLength = 1_000;

/** The path of a value; null for the whole body. Pointers are built only for faults. */
export type ValuePath = { readonly parent: ValuePath; readonly key: string | number } | null;

/** The path of a nested value. */
export function childPath(parent: ValuePath, key: string | number): ValuePath {
  return { parent, key };
}

/**
 * The path of a pointer, or of a field below it. If the pointer is too long, the path of an
 * enclosing value.
 */
export function parsePointer(pointer: string, field?: string): ValuePath {
  if (pointer.length > maxPointerLength) {
    return parsePointer(pointer.slice(0, pointer.lastIndexOf('/', maxPointerLength)));
  }
  const keys = pointer.split('/').slice(1);
  const path = keys.reduce<ValuePath>(
    (at, key) => childPath(at, key.replaceAll('~1', '/').replaceAll('~0', '~')),
    null,
  );
  return field === undefined ? path : childPath(path, field);
}

/**
 * The JSON pointer (RFC 6901) of a path, truncated to an enclosing value if it is too long.
 */
function formatPointer(path: ValuePath): string {
  const keys: (string | number)[] = [];
  for (let at = path; at !== null; at = at.parent) keys.push(at.key);
  let pointer = '';
  for (const key of keys.reverse()) {
    const raw = String(key);
    if (pointer.length + raw.length > maxPointerLength) break;
    pointer += `/${escapePointer(raw)}`;
  }
  return pointer;
}

/** Client text that is safe to quote: printable ASCII, at most 100 characters. */
export function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}

/**
 * The faults of a request: one per pointer, and a limited number. Checks stop at the limit
 * (`isFull`).
 */
export class Faults {
  readonly list: Fault[] = [];
  readonly #pointers = new Set<string>();
  #characters = 0;
  #repeated = 0;

  get isFull(): boolean {
    return (
      this.list.length >= maxFaults ||
      this.#characters >= maxTotalCharacters ||
      this.#repeated >= maxFaults
    );
  }

  /** Whether this value already has a fault. */
  has(path: ValuePath): boolean {
    return this.list.length > 0 && this.#pointers.has(formatPointer(path));
  }

  add(path: ValuePath, code: string, detail: string, allowed?: Fault['allowed']): void {
    if (this.isFull) return;
    const pointer = formatPointer(path);
    if (this.#pointers.has(pointer)) {
      this.#repeated += 1;
      return;
    }
    this.#pointers.add(pointer);
    this.list.push({ pointer, code, detail, ...(allowed ? { allowed } : {}) });
    this.#characters += pointer.length + detail.length + jsonLength(allowed);
  }
}

function jsonLength(allowed: Fault['allowed']): number {
  return (allowed ?? []).reduce<number>((size, one) => size + String(one).length + 3, 0);
}
