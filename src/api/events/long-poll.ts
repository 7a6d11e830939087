import type { StreamCall } from '../frame/route.ts';

/**
 * Reads a feed. If the page is empty, waits for new events and reads again until the time has
 * elapsed, the client disconnects or the service stops.
 */
export async function readOrWait<Result extends { events: readonly unknown[] }>(
  call: Pick<StreamCall<string, never, unknown>, 'deps' | 'origin' | 'signal'>,
  waitSeconds: number,
  read: () => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + waitSeconds * 1_000;
  // Created before the first read, so that no event is missed between reading and waiting.
  const watch = call.deps.events.watch(call.origin.projectId);
  try {
    for (;;) {
      const result = await read();
      const timeoutMs = end - performance.now();
      if (result.events.length > 0 || timeoutMs <= 0) return result;
      if (!(await watch.next({ timeoutMs, signal: call.signal }))) return result;
    }
  } finally {
    watch.close();
  }
}
