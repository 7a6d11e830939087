/** Names of fields that contain credentials, without `-`, `_` and capitals. */
const credentialName =
  /^(?:raw)?headers$|(?:password|passwd|secrets?|token|cookie|authorization|credentials?|apikey|accesskey|secretkey|signingkey|privatekey)$/;

/** The maximum depth of logged fields. */
const maxDepth = 6;

/**
 * Returns fields as they are logged, at any depth: without credentials, and with errors reduced to
 * what may be logged of them. An object of a class, such as a request, is replaced with its name.
 */
export function loggedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return withoutCredentials(fields, []);
}

function withoutCredentials(fields: object, ancestors: readonly object[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!isCredential(name)) kept[name] = loggedValue(value, [...ancestors, fields]);
  }
  return kept;
}

const isCredential = (name: string): boolean =>
  credentialName.test(name.replace(/[-_]/g, '').toLowerCase());

function loggedValue(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) return '[Circular]';
  if (value instanceof Error) return describeError(value, ancestors);
  if (ancestors.length >= maxDepth) return '[Object]';
  if (Array.isArray(value)) return value.map((item) => loggedValue(item, [...ancestors, value]));
  if (value instanceof Date) return value;
  if (value instanceof URL) return `${value.protocol}//${value.host}${value.pathname}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return withoutCredentials(value, ancestors);
  return `[${value.constructor.name}]`;
}

/**
 * Returns the logged fields of an error: type, message, stack, code and constraint, with those of
 * its cause and of the errors that it combines. Other fields are omitted, since Postgres quotes
 * values in `detail` and `where`.
 */
export function describeError(error: unknown, parents: readonly object[] = []): unknown {
  if (!(error instanceof Error)) return loggedValue(error, parents);
  if (parents.includes(error)) return '[Circular]';
  const { code, constraint, cause } = error as Error & { code?: unknown; constraint?: unknown };
  const describePart = (part: unknown): unknown => describeError(part, [...parents, error]);
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(cause === undefined ? {} : { cause: describePart(cause) }),
    ...(error instanceof AggregateError ? { errors: error.errors.map(describePart) } : {}),
  };
}
