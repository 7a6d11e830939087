/** One metadata entry as edited: its value is JSON or plain text. */
export interface MetadataRow {
  name: string;
  text: string;
}

export function rowsOf(metadata: Record<string, unknown>): MetadataRow[] {
  return Object.entries(metadata).map(([name, value]) => ({ name, text: textOf(value) }));
}

/**
 * Formats a value. A string is unquoted, unless it would parse as JSON: `12` is a number, and
 * `"12"` a string.
 */
function textOf(value: unknown): string {
  if (typeof value === 'string' && parse(value) === undefined) return value;
  return JSON.stringify(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Returns the merge patch (RFC 7396) that turns `before` into the rows; undefined if nothing
 * changes. A merge patch cannot set a member to null: null removes it.
 */
export function metadataPatch(
  before: Record<string, unknown>,
  rows: readonly MetadataRow[],
): Record<string, unknown> | undefined {
  const current = new Map(
    rows
      .filter(({ name }) => name !== '')
      .map(({ name, text }) => [name, parse(text) === undefined ? text : parse(text)] as const),
  );
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!current.has(name)) patch[name] = null;
  for (const [name, value] of current) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    patch[name] = mergePatchOf(before[name], value);
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Returns the patch of one value. Patches of nested objects are merged, so null removes members. */
function mergePatchOf(before: unknown, current: unknown): unknown {
  if (!isObject(before) || !isObject(current)) return current;
  const removedNames = Object.keys(before).filter((name) => !(name in current));
  return Object.fromEntries([
    ...removedNames.map((name) => [name, null] as const),
    ...Object.entries(current).map(
      ([name, value]) => [name, mergePatchOf(before[name], value)] as const,
    ),
  ]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
