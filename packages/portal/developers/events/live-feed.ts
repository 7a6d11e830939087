import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useState } from 'preact/hooks';
import { type ListUse, useListUse } from '../../api/list-use.ts';
import { requestFor } from '../../api/request.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import type { EventFilters } from './filters.tsx';

/** Number of live events beyond which the list is reloaded, to limit memory. */
const maxLiveEvents = 1_000;

export interface LiveFeed {
  state: StreamState;
  /** Live events that are shown, newest first. */
  shownEvents: EventRecord[];
  /** Live events held while paused, or while the list is in use. */
  heldEvents: EventRecord[];
  isPaused: boolean;
  /** The element of the list. */
  element: ListUse['element'];
  pause: (paused: boolean) => void;
  /** Shows the held events. */
  release: () => void;
  reconnect: () => void;
  updateEvents: (change: (event: EventRecord) => EventRecord) => void;
}

/** The stream of the feed after a sequence. The stream cannot be filtered by `published`. */
export const streamRequest = ({ published: _, ...filters }: EventFilters, after: number) =>
  requestFor('streamEvents', { ...filters, after });

/**
 * Follows the feed after a sequence. Undefined follows nothing.
 * @param reloadList loads the list again
 */
export function useLiveFeed(
  filters: EventFilters,
  after: number | undefined,
  reloadList: () => void,
): LiveFeed {
  const [paused, setPaused] = useState(false);
  const [isReconnecting, setIsReconnecting] = useState(false);
  const [{ shownEvents, heldEvents }, setEvents] = useState<{
    shownEvents: EventRecord[];
    heldEvents: EventRecord[];
  }>({
    shownEvents: [],
    heldEvents: [],
  });
  const release = () =>
    setEvents((now) => ({ shownEvents: [...now.heldEvents, ...now.shownEvents], heldEvents: [] }));
  const { element, isInUse } = useListUse(() => {
    if (!paused) release();
  });
  // Omitting the request for one render reopens a closed stream.
  useEffect(() => setIsReconnecting(false), [isReconnecting]);
  useEffect(() => setEvents({ shownEvents: [], heldEvents: [] }), [after]);
  const isFollowing = after !== undefined && !isReconnecting;
  const state = useStream(
    isFollowing ? streamRequest(filters, after) : null,
    ['message'],
    (_, data) => {
      // The server validates its messages against the schema of EventRecord.
      const event = data as EventRecord;
      if (filters.published !== '' && String(event.published) !== filters.published) return;
      setEvents((now) => {
        if ([...now.heldEvents, ...now.shownEvents].some(({ id }) => id === event.id)) return now;
        const heldEvents = [event, ...now.heldEvents];
        return paused || isInUse()
          ? { ...now, heldEvents }
          : { shownEvents: [...heldEvents, ...now.shownEvents], heldEvents: [] };
      });
    },
  );
  useEffect(() => {
    if (shownEvents.length + heldEvents.length > maxLiveEvents && !isInUse()) reloadList();
  }, [shownEvents.length, heldEvents.length]);
  return {
    state,
    element,
    shownEvents,
    heldEvents,
    isPaused: paused,
    pause: (on) => {
      setPaused(on);
      if (!on) release();
    },
    release,
    reconnect: () => setIsReconnecting(true),
    updateEvents: (change) =>
      setEvents((now) => ({
        shownEvents: now.shownEvents.map(change),
        heldEvents: now.heldEvents.map(change),
      })),
  };
}
