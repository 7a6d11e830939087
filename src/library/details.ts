import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Fault } from '@scriptorium/contracts/problems';

/** Tags and metadata of a resource, with their limits (docs/api.md). */

const maxKeyCharacters = 100;
const maxMembers = 100;

/**
 * Tags in their stored form: trimmed, in NFKC, without duplicates, in the given order. Faults point
 * to the tag as it was sent.
 */
export function cleanTags(
  values: readonly string[],
  pointer = '/tags',
): { tags: string[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const tags = new Set<string>();
  for (const [at, text] of values.entries()) {
    const tag = text.normalize('NFKC').trim();
    const characters = [...tag].length;
    const fault = (code: string, detail: string): void => {
      faults.push({ pointer: `${pointer}/${at}`, code, detail });
    };
    if (characters === 0) fault('too_short', 'A tag must have at least 1 character.');
    else if (characters > limits.tag_characters) {
      fault(
        'too_long',
        `A tag must have at most ${pluralise(limits.tag_characters, 'character')}.`,
      );
    } else if (/\p{Cc}/u.test(tag)) {
      fault('control_character', 'A tag must not contain control characters.');
    } else tags.add(tag);
  }
  if (values.length > limits.tags_per_resource) {
    const detail = `There must be at most ${pluralise(limits.tags_per_resource, 'tag')}.`;
    return { tags: [], faults: [{ pointer, code: 'too_many', detail }] };
  }
  return { tags: [...tags], faults };
}

/** The faults of metadata that is too large. */
export function checkMetadata(metadata: Record<string, unknown>, pointer = '/metadata'): Fault[] {
  const faults: Fault[] = [];
  const keys = Object.keys(metadata);
  if (keys.length > maxMembers) {
    faults.push({
      pointer,
      code: 'too_many',
      detail: `Metadata must have at most ${pluralise(maxMembers, 'member')}, not ${keys.length.toLocaleString('en')}.`,
    });
  }
  if (keys.some((key) => [...key].length > maxKeyCharacters)) {
    const detail = `A member's name must have at most ${pluralise(maxKeyCharacters, 'character')}.`;
    faults.push({ pointer, code: 'name_too_long', detail });
  }
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > limits.metadata_bytes) {
    const detail = `Metadata must be at most ${pluralise(limits.metadata_bytes, 'byte')} as JSON; it is ${pluralise(bytes, 'byte')}.`;
    faults.push({ pointer, code: 'too_large', detail });
  }
  return faults;
}

/** Applies a JSON Merge Patch (RFC 7396 §2). */
export function mergePatch(
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  // A Map, so that names such as `__proto__` have no special meaning.
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (isObject(value)) {
      const before = merged.get(name);
      merged.set(name, mergePatch(isObject(before) ? before : {}, value));
    } else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
