import { useEffect, useState } from 'preact/hooks';
import type { EventRecord } from '../../../contracts/wire/events.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import { type Filters, streamEvents } from './requests.ts';

/** Further down than this, in pixels, somebody is reading: nothing is put above them. */
const readingFrom = 120;
/** More than this is read anew as a list, so that a tail left open for days stays light. */
const mostFresh = 1_000;

export interface Live {
  state: StreamState;
  /** What has come and is shown, newest first. */
  fresh: EventRecord[];
  /** What has come and waits, while paused or while somebody reads further down. */
  held: EventRecord[];
  paused: boolean;
  pause: (paused: boolean) => void;
  /** Shows what waits. */
  release: () => void;
  reconnect: () => void;
  edit: (change: (event: EventRecord) => EventRecord) => void;
}

/**
 * The live end of the feed, from after a sequence on; undefined follows nothing.
 * @param restart reads the list anew
 */
export function useLive(filters: Filters, after: number | undefined, restart: () => void): Live {
  const [paused, setPaused] = useState(false);
  const [broken, setBroken] = useState(false);
  const [{ fresh, held }, setEvents] = useState<{ fresh: EventRecord[]; held: EventRecord[] }>({
    fresh: [],
    held: [],
  });
  // A closed stream is opened again by its request being away for a moment.
  useEffect(() => setBroken(false), [broken]);
  useEffect(() => setEvents({ fresh: [], held: [] }), [after]);
  const follows = after !== undefined && !broken;
  const state = useStream(follows ? streamEvents(filters, after) : null, ['message'], (_, data) => {
    // The server checks what it sends by the schema of EventRecord.
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
    if (fresh.length + held.length > mostFresh) restart();
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
