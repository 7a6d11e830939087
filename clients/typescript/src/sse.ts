/** One server-sent event. */
export interface ServerSentEvent {
  event: string;
  data: string;
  /** The last `id` that was sent, by this event or before it; '' when none was. */
  id: string;
  /** The newest `retry`, in milliseconds. */
  retry: number | null;
}

/**
 * Reads server-sent events out of bytes. What only sets `id` or `retry` is given with empty `data`,
 * so that whoever comes back knows from where.
 * @throws what reading throws, and an error when nothing came for `idleMs`
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
    // The connection is given back, also when the reader of the events has enough.
    await reader.cancel().catch(() => undefined);
  }
}

/** A connection that died quietly says nothing, not even that. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came for ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
