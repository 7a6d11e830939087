import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** Waits for the server; throws StartError if it ends before it is ready, or takes over a minute. */
export async function waitUntilServing(serviceUrl: string, broken: Promise<string>): Promise<void> {
  let reason: string | undefined;
  void broken.then((why) => {
    reason = why;
  });
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (reason !== undefined) throw new StartError(reason);
    if ((await statusOf(`${serviceUrl}/readyz`)) === 200) return;
    if (Date.now() > deadline) {
      throw new StartError(
        `The server at ${serviceUrl} was not ready within 60 seconds. See its output.`,
      );
    }
    await delay(50);
  }
}

/** The status of a GET; undefined without an answer. */
export async function statusOf(
  url: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
