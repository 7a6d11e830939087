/**
 * What an endpoint wants of the events of its types: values at JSON pointers (RFC 6901) into the body
 * that is sent. All pointers must match, each by one of its values.
 */

export type FilterValue = string | number | boolean | null;
export type PayloadFilter = Record<string, FilterValue[]>;

/** The fields of the body of an event; of `data` every type has its own. */
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
  actor: ['type', 'id'],
  request_id: 'value',
  data: 'anything',
};
const maxPointerLength = 500;

/**
 * Whether a body has one of the wanted values at every pointer. An array in the body does when one
 * of its elements does; what is not there never does, not even where null is wanted. Bodies are a
 * stranger's data: nothing in one makes this throw, and no field of it is more than a field.
 * @param body as it is sent where the payload is full, parsed
 */
export function matchesFilter(filter: PayloadFilter, body: unknown): boolean {
  return Object.entries(filter).every(([pointer, wanted]) => {
    const found = valueAt(pointer, body);
    const values: readonly unknown[] = Array.isArray(found) ? found : [found];
    return values.some((value) => wanted.some((each) => each === value));
  });
}

/** What is wrong with a pointer of a filter, in words; null when it can lead to a value. */
export function pointerFault(pointer: string): string | null {
  const tokens = tokensOf(pointer);
  if (tokens === null) {
    return `It must be a JSON pointer (RFC 6901) of at most ${maxPointerLength} characters, such as /data/source_object_id.`;
  }
  const [field, ...rest] = tokens;
  const names = Object.keys(bodyFields).join(', ');
  if (field === undefined) return `It leads to the whole body; name a field of it: ${names}.`;
  const shape = Object.hasOwn(bodyFields, field) ? bodyFields[field] : undefined;
  if (shape === undefined) return `The body of an event has no such field; it has ${names}.`;
  if (shape === 'value') {
    return rest.length > 0 ? `The field '${field}' of an event has nothing inside.` : null;
  }
  if (rest.length === 0) {
    return `The field '${field}' is an object; lead to a value inside, such as /${field}/${shape === 'anything' ? 'state' : shape[0]}.`;
  }
  if (shape === 'anything') return null;
  return rest.length === 1 && shape.includes(rest[0]!)
    ? null
    : `The field '${field}' of an event has ${shape.join(' and ')} and nothing else.`;
}

/** The reference tokens of a pointer (RFC 6901 §3 and §4); null when it is none. */
function tokensOf(pointer: string): string[] | null {
  if (pointer.length > maxPointerLength || /~(?![01])/.test(pointer)) return null;
  if (pointer !== '' && !pointer.startsWith('/')) return null;
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a pointer leads to; undefined where that is nothing. */
function valueAt(pointer: string, body: unknown): unknown {
  const tokens = tokensOf(pointer);
  if (tokens === null) return undefined;
  let at: unknown = body;
  for (const token of tokens) {
    if (typeof at !== 'object' || at === null) return undefined;
    // An array has elements and, unlike in JavaScript, no length.
    if (Array.isArray(at) && !/^(?:0|[1-9]\d*)$/.test(token)) return undefined;
    if (!Object.hasOwn(at, token)) return undefined;
    at = Reflect.get(at, token);
  }
  return at;
}
