import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { requestFor, urlOf } from './request.ts';

/** Delay before reconnecting after the service has ended the stream, in milliseconds. */
const reconnectDelayMs = 5_000;

type Listener = (event: EventRecord) => void;

/** The events of jobs, reviews and packs. */
const documentEvents = requestFor('streamEvents', { type: 'documents.*' });

/** The listeners, each with the function to call when the stream opens. */
const listeners = new Map<Listener, () => void>();
let source: EventSource | undefined;
let reconnectTimer: number | undefined;

/**
 * Calls `listener` for each event of jobs, reviews and packs, and `onOpen` whenever the stream
 * opens, because earlier events were missed. Returns a function that removes the listener. Each tab
 * has one stream for all listeners, because browsers allow only six connections per host.
 */
export function watchDocumentEvents(
  listener: Listener,
  onOpen: () => void = () => undefined,
): () => void {
  listeners.set(listener, onOpen);
  if (!source) open();
  else if (source.readyState === EventSource.OPEN) onOpen();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) close();
  };
}

function open(): void {
  source = new EventSource(urlOf(documentEvents));
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as EventRecord;
    for (const listener of [...listeners.keys()]) listener(event);
  });
  source.addEventListener('open', () => {
    for (const onOpen of [...listeners.values()]) onOpen();
  });
  source.addEventListener('error', () => {
    // The browser reconnects unless the stream is closed.
    if (source?.readyState !== EventSource.CLOSED || reconnectTimer !== undefined) return;
    reconnectTimer = window.setTimeout(() => {
      close();
      if (listeners.size > 0) open();
    }, reconnectDelayMs);
  });
}

function close(): void {
  window.clearTimeout(reconnectTimer);
  reconnectTimer = undefined;
  source?.close();
  source = undefined;
}
