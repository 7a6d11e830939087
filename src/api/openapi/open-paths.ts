import type { Json } from './json.ts';

/** Parts of the descriptions of paths without a route, because they need no key. */

/** An error response, with the codes that it may have. */
export const problemAnswer = (description: string): Json => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** A parameter of a path. */
export const inPath = (name: string, description: string): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
