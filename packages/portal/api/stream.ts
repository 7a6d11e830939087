import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiRequest, urlOf } from './request.ts';

/** `reconnecting`: the connection was lost, and the browser is retrying. */
export type StreamState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/**
 * Streams server-sent events while the component is mounted. The browser reconnects with
 * Last-Event-ID. `onMessage` receives each event's name and data. Null streams nothing.
 */
export function useStream(
  request: Pick<ApiRequest<unknown>, 'path' | 'query'> | null,
  eventNames: readonly string[],
  onMessage: (name: string, data: unknown) => void,
): StreamState {
  const url = request ? urlOf(request) : null;
  const [state, setState] = useState<StreamState>(url ? 'connecting' : 'closed');
  const latestOnMessage = useRef(onMessage);
  latestOnMessage.current = onMessage;
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
      latestOnMessage.current(event.type, JSON.parse(event.data));
    for (const name of eventNames) source.addEventListener(name, receive);
    return () => source.close();
  }, [url, eventNames.join(' ')]);
  return state;
}
