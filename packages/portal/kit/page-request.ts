import { ApiProblem, fetchOrProblem, requestFor, urlOf } from '../api/request.ts';

/** Maximum number of times that a page still being drawn or read is requested. */
const tries = 6;

/**
 * Returns a page of an object as a picture.
 * @throws ApiProblem as `fetchOrProblem` does, after waiting for a picture that is being drawn
 */
export function fetchPicture(
  objectId: string,
  page: number,
  width: number,
  signal: AbortSignal,
): Promise<Blob> {
  const request = requestFor('getPageImage', { id: objectId, n: page, width });
  const ask = async () => (await fetchOrProblem(urlOf(request), { signal })).blob();
  return untilReady(ask, signal);
}

/** Requests again while a worker is not ready. @throws ApiProblem as `ask` does */
export async function untilReady<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      const isLate = error instanceof ApiProblem && error.document.retryable && left > 1;
      if (!isLate) throw error;
      await new Promise((resolve) => window.setTimeout(resolve, 1_000));
      signal.throwIfAborted();
    }
  }
}
