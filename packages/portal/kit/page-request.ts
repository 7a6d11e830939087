import { ApiProblem, fetchOrThrow, requestFor, urlOf } from '../api/request.ts';

/** Maximum number of requests for a page that a worker is still drawing or reading. */
const maxTries = 6;

/**
 * Returns a page of an object as a picture.
 * @throws ApiProblem as `fetchOrThrow` does, after waiting for a picture that is being drawn
 */
export function fetchPicture(
  objectId: string,
  page: number,
  width: number,
  signal: AbortSignal,
): Promise<Blob> {
  const request = requestFor('getPageImage', { id: objectId, n: page, width });
  const fetchBlob = async () => (await fetchOrThrow(urlOf(request), { signal })).blob();
  return retryUntilReady(fetchBlob, signal);
}

/** Repeats a request until the worker is ready. @throws ApiProblem as `attempt` does */
export async function retryUntilReady<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let triesLeft = maxTries; ; triesLeft -= 1) {
    try {
      return await attempt();
    } catch (error) {
      const shouldRetry = error instanceof ApiProblem && error.document.retryable && triesLeft > 1;
      if (!shouldRetry) throw error;
      const delayMs = 1_000 * (error.retryAfter ?? 1);
      await new Promise((resolve) => window.setTimeout(resolve, delayMs));
      signal.throwIfAborted();
    }
  }
}
