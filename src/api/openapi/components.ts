import { limits } from '@scriptorium/contracts/limits';

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `sk_…`. The scopes listed with an operation are all required.',
  },
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Project-ID',
    description: 'The identifier of the project, `prj_…`.',
  },
};

export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'b1c1f3d2-5d0e-4c7c-9f55-0f6f1f1f0c11',
    description: `Makes the request safe to retry. For ${limits.idempotency_hours} hours, requests with the same key return the first response with \`Idempotent-Replayed: true\`.`,
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag of the resource as you read it. 412 if it has changed since.',
  },
  IfMatchRequired: {
    name: 'If-Match',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
    description:
      'The ETag of the resource as you read it. 428 if missing, 412 if it has changed since.',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag of your copy. 304 if it is current.',
  },
};

export const headerComponents = {
  RequestId: {
    description: 'The `X-Request-Id` of the request, or a generated one.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The rate limit of the key per minute.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining requests, and the seconds until the limit resets.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The version of the resource.', schema: { type: 'string' } },
  Location: { description: 'The URL of the resource.', schema: { type: 'string' } },
  Link: { description: 'The next page, `rel="next"`.', schema: { type: 'string' } },
  RetryAfter: { description: 'The number of seconds to wait.', schema: { type: 'integer' } },
};
