/**
 * Every error code of the API, with its HTTP status. Each code requires one specific action from
 * the client. Codes that are not listed here do not compile.
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
  four_eyes: 403,
  policy_denied: 403,
  quota_exceeded: 403,
  sign_in_failed: 403,
  membership_required: 403,
  signed_url_invalid: 403,
  signed_url_expired: 403,
  share_entry_required: 403,
  not_found: 404,
  member_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  state_conflict: 409,
  project_deleting: 409,
  held_by_policy: 409,
  confirmation_required: 409,
  already_exists: 409,
  last_admin: 409,
  claimed: 409,
  findings_pending: 409,
  collection_cycle: 409,
  count_changed: 409,
  results_expired: 409,
  idempotency_in_progress: 409,
  offset_mismatch: 409,
  cursor_expired: 410,
  upload_expired: 410,
  invitation_closed: 410,
  share_closed: 410,
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
  text_not_found: 422,
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
 * A fault in a request, and its position. If the detail starts with "It" (`It must be at least
 * 60.`), "It" is replaced with the name of the field when the problem is created.
 */
export interface Fault {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
  allowed?: readonly (string | number)[];
}

/** Maximum number of faults reported for one request. */
export const maxFaults = 100;

/** Escapes a name for use in a JSON pointer (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

interface ProblemOptions {
  errors?: Fault[];
  /** Whether the same request may succeed later. */
  retryable?: boolean;
  headers?: Record<string, string>;
  /** Further members of the problem document (RFC 9457 §3.2), such as `earliest_sequence`. */
  extra?: Record<string, unknown>;
}

/** An error response. Thrown anywhere below a route, sent as problem+json (RFC 9457). */
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
    this.errors = options.errors?.slice(0, maxFaults).map(withFieldName);
    this.retryable = options.retryable ?? (this.status === 429 || this.status >= 500);
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }
}

/** 404 for a resource that does not exist or belongs to another project. */
export function notFound(noun: string, id: string): Problem {
  return new Problem('not_found', `The ${noun} '${id}' was not found.`);
}

/** 409 for a resource that is in the trash or not ready. */
export function notAvailable(noun: string, { id, state }: { id: string; state: string }): Problem {
  return new Problem(
    'state_conflict',
    state === 'trashed'
      ? `The ${noun} '${id}' is in the trash. Restore it first.`
      : `The ${noun} '${id}' is not available: its state is \`${state}\`.`,
  );
}

/** 422 for a body that refers to a resource that this project does not have. */
export function referenceNotFound(
  pointer: string,
  id: string,
  detail = `'${id}' was not found.`,
): Problem {
  return new Problem('reference_not_found', detail, {
    errors: [{ pointer, code: 'reference_not_found', detail }],
  });
}

/** 422 for a well-formed body that is invalid, with all its faults. */
export function validationFailed(errors: Fault[]): Problem {
  return validationProblem('validation_failed', ['unknown_field', 'id_prefix_mismatch'], errors);
}

/** 400 for invalid query parameters, with all their faults. */
export function invalidParameter(...errors: Fault[]): Problem {
  return validationProblem('invalid_parameter', ['unknown_parameter'], errors);
}

/** Returns a problem with the code of its faults, if all of them have one of `sharedCodes`. */
function validationProblem(
  code: ProblemCode,
  sharedCodes: readonly ProblemCode[],
  errors: Fault[],
): Problem {
  const sharedCode = sharedCodes.find((one) => errors.every((fault) => fault.code === one));
  return new Problem(errors.length > 0 && sharedCode ? sharedCode : code, summariseFaults(errors), {
    errors,
  });
}

/** Summarises faults: the first, and the number of the others. */
export function summariseFaults(faults: readonly Fault[]): string {
  const [first, ...others] = faults;
  if (!first) return 'The request is invalid.';
  const { detail } = withFieldName(first);
  if (others.length === 0) return detail;
  return `${detail} \`errors\` lists ${others.length === 1 ? '1 more fault' : `${others.length} more faults`}.`;
}

/** Returns the fault with the name of its field in `detail`. */
function withFieldName(fault: Fault): Fault {
  if (!fault.detail.startsWith('It ')) return fault;
  return { ...fault, detail: subjectOf(fault) + fault.detail.slice('It'.length) };
}

/** Names the subject of a fault: a field such as `operations[0].op`, a header, or the body. */
function subjectOf({ pointer, parameter, header }: Fault): string {
  if (parameter !== undefined) return `\`${parameter}\``;
  if (pointer === undefined) return header === undefined ? 'It' : `The ${header} header`;
  if (pointer === '') return 'The body';
  const path = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name, at) => (/^\d+$/.test(name) ? `[${name}]` : at === 0 ? name : `.${name}`))
    .join('');
  return `\`${path.slice(0, 200).replace(/[^\x20-\x7e]/g, '?')}\``;
}
