import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiRequest, urlOf } from './request.ts';

/** `reconnecting`: it was lost, and the browser tries again by itself. */
export type StreamState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/**
 * Server-sent events of a path, while the component is there. The browser reconnects by itself and
 * goes on by Last-Event-ID; `onMessage` gets each event's name and data. Null streams nothing.
 */
export function useStream(
  request: Pick<ApiRequest<unknown>, 'path' | 'query'> | null,
  names: readonly string[],
  onMessage: (name: string, data: unknown) => void,
): StreamState {
  const url = request ? urlOf(request) : null;
  const [state, setState] = useState<StreamState>(url ? 'connecting' : 'closed');
  const handler = useRef(onMessage);
  handler.current = onMessage;
  useEffect(() => {
    if (!url) {
      setState('closed');
      return;
    }
    setState('connecting');
    const source = new EventSource(url);
    source.onopen = () => setState('open');
    source.onerror = () =>
      setState(source.readyState === EventSource.CLOSED ? 'closed' : 'reconnecting');
    const receive = (event: MessageEvent<string>) =>
      handler.current(event.type, JSON.parse(event.data));
    for (const name of names) source.addEventListener(name, receive);
    return () => source.close();
  }, [url, names.join(' ')]);
  return state;
}
