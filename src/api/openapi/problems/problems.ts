import { STATUS_CODES } from 'node:http';
import { type ProblemCode, problemCodes } from '@scriptorium/contracts/problems';
import type { Route } from '../../frame/route.ts';
import { mayHaveBody, paramNames } from '../../frame/route-properties.ts';
import type { Json } from '../json.ts';
import { propertiesOf } from '../schemas.ts';

const commonCodes: ProblemCode[] = [
  'malformed_request',
  'unknown_parameter',
  // For a query that cannot be parsed, even if the operation has no parameters.
  'invalid_parameter',
  'project_header_required',
  'authentication_required',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'project_forbidden',
  'project_deleting',
  'ip_not_allowed',
  'not_acceptable',
  'rate_limited',
  'internal_error',
  'dependency_unavailable',
  'query_timeout',
  'headers_too_large',
  'uri_too_long',
];

/** All error codes that an operation may return. */
export function problemsOf(
  route: Route,
  features: { idempotent: boolean; acceptsIfMatch: boolean; required: boolean },
): ProblemCode[] {
  const codes = new Set<ProblemCode>([...commonCodes, ...(route.problems ?? [])]);
  const add = (when: boolean, ...more: ProblemCode[]): void => {
    if (when) for (const code of more) codes.add(code);
  };
  const query = route.query ? propertiesOf(route.query) : {};
  const hasBody = route.kind === 'json' && mayHaveBody(route);
  add(route.scopes.length > 0, 'insufficient_scope');
  add('cursor' in query, 'cursor_invalid', 'cursor_mismatch');
  add(paramNames(route.path).length > 0, 'not_found');
  add(hasBody, 'malformed_json', 'payload_too_large', 'unsupported_media_type');
  add(hasBody, 'request_timeout', 'validation_failed', 'unknown_field', 'id_prefix_mismatch');
  add(features.idempotent, 'idempotency_in_progress', 'idempotency_key_reused');
  add(features.acceptsIfMatch || features.required, 'etag_mismatch');
  add(features.required, 'precondition_required');
  return [...codes];
}

/** The error responses by status. */
export function describeProblems(codes: ProblemCode[]): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    byStatus.set(problemCodes[code], [...(byStatus.get(problemCodes[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      status,
      {
        description: `${STATUS_CODES[status] ?? 'Error'}: ${codesOfStatus.map((code) => `\`${code}\``).join(', ')}.`,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(status === 429 || status === 503
            ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
            : {}),
        },
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { enum: codesOfStatus } } },
              ],
            },
          },
        },
      },
    ]),
  );
}
