import type { Json } from '../openapi/json.ts';
import { operationsOf, tagPath } from './read.ts';

/** Creates a function that finds the documentation of the operation for a request. */
export function operationFinder(document: Json): (method: string, path: string) => string | null {
  const known = operationsOf(document).map(({ id, method, path, tag }) => ({
    ...{ method, segments: path.split('/'), place: `${tagPath(tag)}#${id}` },
  }));
  return (method, path) => {
    const given = path.split('/');
    const fits = known.filter(
      (one) =>
        one.method === method.toUpperCase() &&
        one.segments.length === given.length &&
        one.segments.every((segment, at) => segment.startsWith('{') || segment === given[at]),
    );
    // `/v1/documents/jobs/batch` is not a job.
    const [best] = fits.sort((a, b) => wildcards(a.segments) - wildcards(b.segments));
    return best?.place ?? null;
  };
}

const wildcards = (segments: readonly string[]): number =>
  segments.filter((segment) => segment.startsWith('{')).length;
