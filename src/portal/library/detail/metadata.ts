/** One member of the metadata as it is edited: its value as JSON, or as plain text. */
export interface MetadataRow {
  name: string;
  text: string;
}

export function rowsOf(metadata: Record<string, unknown>): MetadataRow[] {
  return Object.entries(metadata).map(([name, value]) => ({ name, text: textOf(value) }));
}

/** Text that is no JSON stands as it is; `12` is a number and `"12"` a text. */
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
 * What has to be merged into the metadata (RFC 7396) to make it what the rows say; undefined when
 * nothing has to be. A member that is null cannot be said in a merge: null takes it away.
 */
export function metadataPatch(
  before: Record<string, unknown>,
  rows: readonly MetadataRow[],
): Record<string, unknown> | undefined {
  const now = new Map(
    rows
      .filter(({ name }) => name !== '')
      .map(({ name, text }) => [name, parse(text) === undefined ? text : parse(text)] as const),
  );
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!now.has(name)) patch[name] = null;
  for (const [name, value] of now) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    patch[name] = withoutMembers(before[name], value);
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** An object in place of an object is merged, too: what is no longer in it has to be taken away. */
function withoutMembers(before: unknown, now: unknown): unknown {
  if (!isObject(before) || !isObject(now)) return now;
  const gone = Object.keys(before).filter((name) => !(name in now));
  return Object.fromEntries([
    ...gone.map((name) => [name, null] as const),
    ...Object.entries(now).map(
      ([name, value]) => [name, withoutMembers(before[name], value)] as const,
    ),
  ]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
