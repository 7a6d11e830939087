/** One server-sent event. */
export interface ServerSentEvent {
  event: string;
  data: string;
  /** The last `id` so far; '' if none. */
  id: string;
  /** The last `retry` so far, in milliseconds. */
  retry: number | null;
}

/**
 * Parses server-sent events. Messages that only set `id` or `retry` are returned with empty `data`,
 * so that a caller that reconnects knows its position.
 * @throws errors of the stream, and an error if nothing arrives for `idleMs`
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  { idleMs }: { idleMs: number },
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let id = '';
  let retry: number | null = null;
  let event = '';
  let data: string[] = [];
  let hasUpdate = false;
  for await (const line of readLines(body, idleMs)) {
    if (line === '') {
      if (data.length > 0 || hasUpdate)
        yield { event: event || 'message', data: data.join('\n'), id, retry };
      [event, data, hasUpdate] = ['', [], false];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) [id, hasUpdate] = [value, true];
    else if (field === 'retry' && /^\d+$/.test(value)) [retry, hasUpdate] = [Number(value), true];
  }
}

async function* readLines(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), idleMs);
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      // A \r at the end may be the first half of \r\n.
      const lines = buffer.split(/\r\n|\n|\r(?!$)/);
      buffer = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // Releases the connection, even if the caller stops early.
    await reader.cancel().catch(() => undefined);
  }
}

/** Rejects after a timeout, since a dead connection may not report an error. */
async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No data was received for ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
