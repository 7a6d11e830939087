import { pluralise } from '../pluralise.ts';
/**
 * Filters events by values at JSON pointers (RFC 6901) into their body. Every pointer must match
 * one of its values.
 */

export type FilterValue = string | number | boolean | null;
export type PayloadFilter = Record<string, FilterValue[]>;

/** The fields of an event's body. The fields of `data` depend on the type. */
const bodyFields: Record<string, 'value' | 'anything' | readonly string[]> = {
  id: 'value',
  type: 'value',
  timestamp: 'value',
  project_id: 'value',
  resource_type: 'value',
  resource_id: 'value',
  category: 'value',
  sequence: 'value',
  occurred_at: 'value',
  actor: ['type', 'id', 'name'],
  request_id: 'value',
  data: 'anything',
};
const maxPointerLength = 500;

/**
 * Whether a body has one of the allowed values at every pointer. An array matches if one of its
 * elements does. A missing value never matches, not even null. Bodies are untrusted, so this never
 * throws and does not read inherited properties.
 * @param body the parsed body of a full payload
 */
export function matchesFilter(filter: PayloadFilter, body: unknown): boolean {
  return Object.entries(filter).every(([pointer, allowedValues]) => {
    const actual = valueAt(pointer, body);
    const values: readonly unknown[] = Array.isArray(actual) ? actual : [actual];
    return values.some((value) => allowedValues.some((each) => each === value));
  });
}

/** Returns the reason why a pointer of a filter is invalid; null if it is valid. */
export function pointerFault(pointer: string): string | null {
  const tokens = tokensOf(pointer);
  if (tokens === null) {
    return `It must be a JSON pointer (RFC 6901) of at most ${pluralise(maxPointerLength, 'character')}, such as /data/source_object_id.`;
  }
  const [field, ...rest] = tokens;
  const names = Object.keys(bodyFields).join(', ');
  if (field === undefined)
    return `It must not point to the whole body. Expected one of the fields: ${names}.`;
  const shape = Object.hasOwn(bodyFields, field) ? bodyFields[field] : undefined;
  if (shape === undefined)
    return `It points to an unknown field of the event. Expected one of: ${names}.`;
  if (shape === 'value') {
    return rest.length > 0 ? `It points into '${field}', which is not an object.` : null;
  }
  if (rest.length === 0) {
    return `It points to '${field}', which is an object. Point to a value in it, such as /${field}/${shape === 'anything' ? 'state' : shape[0]}.`;
  }
  if (shape === 'anything') return null;
  return rest.length === 1 && shape.includes(rest[0]!)
    ? null
    : `It points to an unknown field of '${field}'. Expected one of: ${shape.join(', ')}.`;
}

/** Returns the reference tokens of a pointer (RFC 6901 §3 and §4); null if it is invalid. */
function tokensOf(pointer: string): string[] | null {
  if (pointer.length > maxPointerLength || /~(?![01])/.test(pointer)) return null;
  if (pointer !== '' && !pointer.startsWith('/')) return null;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the value at a pointer; undefined if it does not exist. */
function valueAt(pointer: string, body: unknown): unknown {
  const tokens = tokensOf(pointer);
  if (tokens === null) return undefined;
  let current: unknown = body;
  for (const token of tokens) {
    if (typeof current !== 'object' || current === null) return undefined;
    // An array has elements only, not a `length`.
    if (Array.isArray(current) && !/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(current, token)) return undefined;
    current = Reflect.get(current, token);
  }
  return current;
}
