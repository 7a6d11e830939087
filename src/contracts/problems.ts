/**
 * Every error code a client can meet, with its HTTP status (contract §1). One code, one thing for a
 * client to do. A code that is not listed here does not compile.
 */
export const problemCodes = {
  malformed_request: 400,
  malformed_json: 400,
  unknown_parameter: 400,
  invalid_parameter: 400,
  cursor_invalid: 400,
  cursor_mismatch: 400,
  project_header_required: 400,
  authentication_required: 401,
  api_key_invalid: 401,
  api_key_expired: 401,
  api_key_revoked: 401,
  insufficient_scope: 403,
  key_limits_exceeded: 403,
  project_forbidden: 403,
  csrf_token_invalid: 403,
  origin_not_allowed: 403,
  ip_not_allowed: 403,
  policy_denied: 403,
  quota_exceeded: 403,
  signed_url_invalid: 403,
  signed_url_expired: 403,
  not_found: 404,
  member_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  state_conflict: 409,
  already_exists: 409,
  collection_cycle: 409,
  count_changed: 409,
  results_expired: 409,
  idempotency_in_progress: 409,
  offset_mismatch: 409,
  cursor_expired: 410,
  upload_expired: 410,
  etag_mismatch: 412,
  tus_version_unsupported: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  validation_failed: 422,
  unknown_field: 422,
  id_prefix_mismatch: 422,
  operation_order_invalid: 422,
  idempotency_key_reused: 422,
  reference_not_found: 422,
  pages_out_of_range: 422,
  destination_not_allowed: 422,
  upload_locked: 423,
  precondition_required: 428,
  rate_limited: 429,
  headers_too_large: 431,
  checksum_mismatch: 460,
  internal_error: 500,
  dependency_unavailable: 503,
  query_timeout: 503,
  storage_full: 507,
} as const;

export type ProblemCode = keyof typeof problemCodes;

/**
 * Where in the request a fault lies, and what it is. Its detail is about "It" (`It must be at least 60.`):
 * a problem that tells of it says which field that is (`named`).
 */
export interface Fault {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
  allowed?: readonly (string | number)[];
}

/** How many faults of one request are told. */
export const mostFaults = 100;

/** A name as it stands in a pointer (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

interface ProblemOptions {
  errors?: Fault[];
  /** Whether the same request may succeed later without a change. */
  retryable?: boolean;
  headers?: Record<string, string>;
  /** Further members of the problem document (RFC 9457 §3.2), such as `earliest_sequence`. */
  extra?: Record<string, unknown>;
}

/** An answer that is an error: thrown anywhere below a route, written as RFC 9457 problem+json. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: Fault[] | undefined;
  readonly retryable: boolean;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.status = problemCodes[code];
    this.errors = options.errors?.slice(0, mostFaults).map(named);
    this.retryable = options.retryable ?? (this.status === 429 || this.status >= 500);
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }
}

/** The resource in the path is not there, or not there for this project: both answer alike. */
export function notFound(noun: string, id: string): Problem {
  return new Problem('not_found', `No ${noun} '${id}'.`);
}

/** Only an available resource can take part: this one is in the trash, or not ready. */
export function notAvailable(noun: string, { id, state }: { id: string; state: string }): Problem {
  return new Problem(
    'state_conflict',
    state === 'trashed'
      ? `The ${noun} '${id}' is in the trash. Restore it first.`
      : `The ${noun} '${id}' is ${state}, not available.`,
  );
}

/** A body names a resource that is not there for this project, or not where it has to be. */
export function referenceNotFound(
  pointer: string,
  id: string,
  detail = `'${id}' does not exist.`,
): Problem {
  return new Problem('reference_not_found', detail, {
    errors: [{ pointer, code: 'reference_not_found', detail }],
  });
}

/** A body that is well formed and breaks a rule; all its faults at once. */
export function invalid(errors: Fault[]): Problem {
  return refusal('validation_failed', ['unknown_field', 'id_prefix_mismatch'], errors);
}

/** Parameters of the query that are well formed and cannot be read; all their faults at once. */
export function invalidParameter(...errors: Fault[]): Problem {
  return refusal('invalid_parameter', ['unknown_parameter'], errors);
}

/** A problem with the code of its faults, where they have one and it is told at the top. */
function refusal(code: ProblemCode, atTop: readonly ProblemCode[], errors: Fault[]): Problem {
  const own = atTop.find((one) => errors.every((fault) => fault.code === one));
  return new Problem(errors.length > 0 && own ? own : code, sumUp(errors), { errors });
}

/** What a problem says of its faults: the first, and how many more there are. */
export function sumUp(faults: readonly Fault[]): string {
  const [first, ...more] = faults;
  if (!first) return 'The request breaks a rule.';
  const { detail } = named(first);
  if (more.length === 0) return detail;
  return `${detail} There ${more.length === 1 ? 'is 1 more fault' : `are ${more.length} more faults`} in \`errors\`.`;
}

/** A fault whose detail names what it is about. */
function named(fault: Fault): Fault {
  if (!fault.detail.startsWith('It ')) return fault;
  return { ...fault, detail: subjectOf(fault) + fault.detail.slice('It'.length) };
}

/** What a fault is about, as in `operations[0].op`, in words where it is no field. */
function subjectOf({ pointer, parameter, header }: Fault): string {
  if (parameter !== undefined) return `\`${parameter}\``;
  if (pointer === undefined) return header === undefined ? 'It' : `The header ${header}`;
  if (pointer === '') return 'The body';
  const path = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name, at) => (/^\d+$/.test(name) ? `[${name}]` : at === 0 ? name : `.${name}`))
    .join('');
  return `\`${path.slice(0, 200).replace(/[^\x20-\x7e]/g, '?')}\``;
}
