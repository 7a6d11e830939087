import type { StreamCall } from '../frame/route.ts';

/**
 * Reads a feed; when there is nothing, waits for news and reads again, until the time is over, the
 * client is gone or the service ends.
 */
export async function readOrWait<Result extends { events: readonly unknown[] }>(
  call: Pick<StreamCall<string, never, unknown>, 'deps' | 'origin' | 'signal'>,
  waitSeconds: number,
  read: () => Promise<Result>,
): Promise<Result> {
  const end = performance.now() + waitSeconds * 1_000;
  // Before the first read, so that nothing falls between reading and waiting.
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
