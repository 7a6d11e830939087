import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useState } from 'preact/hooks';
import { requestFor } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import type { EventFilters } from './filters.tsx';

/** Scroll position, in pixels, beyond which new events are held so that the page does not move. */
const readingFrom = 120;
/** Beyond this many live events, the list is reloaded to limit memory. */
const maxFresh = 1_000;

export interface Live {
  state: StreamState;
  /** Live events that are shown, newest first. */
  fresh: EventRecord[];
  /** Live events held while paused or scrolled down. */
  held: EventRecord[];
  paused: boolean;
  pause: (paused: boolean) => void;
  /** Shows the held events. */
  release: () => void;
  reconnect: () => void;
  edit: (change: (event: EventRecord) => EventRecord) => void;
}

/** The stream of the feed after a sequence. The stream cannot be filtered by `published`. */
export const streamAfter = ({ published: _, ...filters }: EventFilters, after: number) =>
  requestFor('streamEvents', { ...filters, after });

/**
 * Follows the feed after a sequence. Undefined follows nothing.
 * @param restart reloads the list
 */
export function useLive(
  filters: EventFilters,
  after: number | undefined,
  restart: () => void,
): Live {
  const [paused, setPaused] = useState(false);
  const [broken, setBroken] = useState(false);
  const [{ fresh, held }, setEvents] = useState<{ fresh: EventRecord[]; held: EventRecord[] }>({
    fresh: [],
    held: [],
  });
  // Omitting the request for one render reopens a closed stream.
  useEffect(() => setBroken(false), [broken]);
  useEffect(() => setEvents({ fresh: [], held: [] }), [after]);
  const follows = after !== undefined && !broken;
  const state = useStream(follows ? streamAfter(filters, after) : null, ['message'], (_, data) => {
    // The server validates its messages against the schema of EventRecord.
    const event = data as EventRecord;
    if (filters.published !== '' && String(event.published) !== filters.published) return;
    setEvents((now) => {
      if ([...now.held, ...now.fresh].some(({ id }) => id === event.id)) return now;
      return paused || window.scrollY > readingFrom
        ? { ...now, held: [event, ...now.held] }
        : { ...now, fresh: [event, ...now.fresh] };
    });
  });
  useEffect(() => {
    if (fresh.length + held.length > maxFresh) restart();
  }, [fresh.length, held.length]);
  const release = () => setEvents((now) => ({ fresh: [...now.held, ...now.fresh], held: [] }));
  return {
    state,
    fresh,
    held,
    paused,
    pause: (on) => {
      setPaused(on);
      if (!on) release();
    },
    release,
    reconnect: () => setBroken(true),
    edit: (change) =>
      setEvents((now) => ({ fresh: now.fresh.map(change), held: now.held.map(change) })),
  };
}
