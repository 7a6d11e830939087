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
  let told = false;
  for await (const line of readLines(body, idleMs)) {
    if (line === '') {
      if (data.length > 0 || told)
        yield { event: event || 'message', data: data.join('\n'), id, retry };
      [event, data, told] = ['', [], false];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) [id, told] = [value, true];
    else if (field === 'retry' && /^\d+$/.test(value)) [retry, told] = [Number(value), true];
  }
}

async function* readLines(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), idleMs);
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A \r at the end may be the first half of \r\n.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    // Releases the connection, even if the caller stops early.
    await reader.cancel().catch(() => undefined);
  }
}

/** Rejects after a timeout, since a dead connection may not report an error. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No data was received for ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
