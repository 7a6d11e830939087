import type { Json } from './json.ts';

/** Parts of the descriptions of public paths, which have no route and require no key. */

/** An error response, with the codes that it may have. */
export const problemResponse = (description: string): Json => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** A parameter of a path. */
export const pathParameter = (name: string, description: string): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
