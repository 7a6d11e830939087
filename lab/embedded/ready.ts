/** Whether the service at this URL is ready. */
export async function isReady(serviceUrl: string): Promise<boolean> {
  return (await statusOf(`${serviceUrl}/readyz`)) === 200;
}

/** The status of the response; undefined without one. */
export async function statusOf(
  url: string,
  request: RequestInit = {},
): Promise<number | undefined> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
