import { limits } from '../../contracts/limits.ts';

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, `sk_…`. What stands beside it in an operation are the scopes that the key needs, all of them.',
  },
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Project-ID',
    description: 'The project that the request is made within, `prj_…`.',
  },
};

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'b1c1f3d2-5d0e-4c7c-9f55-0f6f1f1f0c11',
    description: `Makes the request safe to repeat: for ${limits.idempotency_hours} hours the same key answers with the first answer, marked \`Idempotent-Replayed: true\`.`,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag of the resource as it was read; 412 when it has changed since.',
  },
  IfMatchRequired: {
    name: 'If-Match',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag of the resource as it was read; 428 without, 412 when it has changed.',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag of what the client has; 304 when it is still so.',
  },
};

export const headers = {
  RequestId: {
    description: "The client's own X-Request-Id, or one made here.",
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'What the key may do a minute.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of it, and for how long.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The version of the resource.', schema: { type: 'string' } },
  Location: { description: 'Where the resource is.', schema: { type: 'string' } },
  Link: { description: 'The next page, `rel="next"`.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
};
