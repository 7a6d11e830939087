import type { Json } from '../openapi/json.ts';
import { operationsOf, tagPath } from './openapi-accessors.ts';

/** Creates a function that finds the documentation of the operation for a request. */
export function createOperationFinder(
  document: Json,
): (method: string, path: string) => string | null {
  const operations = operationsOf(document).map(({ id, method, path, tag }) => ({
    method,
    segments: path.split('/'),
    place: `${tagPath(tag)}#${id}`,
  }));
  return (method, path) => {
    const requestSegments = path.split('/');
    const candidates = operations.filter(
      (one) =>
        one.method === method.toUpperCase() &&
        one.segments.length === requestSegments.length &&
        one.segments.every(
          (segment, at) => segment.startsWith('{') || segment === requestSegments[at],
        ),
    );
    // `/v1/documents/jobs/batch` is not a job.
    const [best] = candidates.sort(
      (a, b) => countWildcards(a.segments) - countWildcards(b.segments),
    );
    return best?.place ?? null;
  };
}

const countWildcards = (segments: readonly string[]): number =>
  segments.filter((segment) => segment.startsWith('{')).length;
