import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useState } from 'preact/hooks';
import { type ListUse, useListUse } from '../../api/list-use.ts';
import { requestFor } from '../../api/request.ts';
import { useRowPace } from '../../api/row-pace.ts';
import { type StreamState, useStream } from '../../api/stream.ts';
import type { EventFilters } from './filters.tsx';

/** Number of live events beyond which the list is reloaded to show others, to limit memory. */
const maxLiveEvents = 1_000;

interface LiveEvents {
  /** Newest first. */
  shownEvents: EventRecord[];
  /** The newest of the held events, newest first. */
  heldEvents: EventRecord[];
  heldCount: number;
}
const noEvents: LiveEvents = { shownEvents: [], heldEvents: [], heldCount: 0 };

export interface LiveFeed {
  state: StreamState;
  /** Live events that are shown, newest first. */
  shownEvents: EventRecord[];
  /** How many live events are not shown yet. */
  heldCount: number;
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
  const [events, setEvents] = useState(noEvents);
  const release = () => {
    if (isFull(events)) return reloadList();
    pace.recordMove();
    setEvents(({ heldEvents, shownEvents }) => ({
      ...noEvents,
      shownEvents: [...heldEvents, ...shownEvents],
    }));
  };
  /** Shows the oldest of the held events, unless the list must hold still. */
  const pace = useRowPace(() => {
    if (paused || events.heldCount === 0 || isInUse()) return;
    if (isFull(events)) {
      if (events.heldCount === 1) reloadList();
      return;
    }
    pace.recordMove();
    setEvents(({ shownEvents, heldEvents, heldCount }) => ({
      shownEvents: [...heldEvents.slice(-1), ...shownEvents],
      heldEvents: heldEvents.slice(0, -1),
      heldCount: heldCount - 1,
    }));
  });
  const { element, isInUse } = useListUse(pace.plan);
  useEffect(() => {
    if (events.heldCount > 0) pace.plan();
  }, [events.heldCount]);
  // Omitting the request for one render reopens a closed stream.
  useEffect(() => setIsReconnecting(false), [isReconnecting]);
  useEffect(() => setEvents(noEvents), [after]);
  const isFollowing = after !== undefined && !isReconnecting;
  const state = useStream(
    isFollowing ? streamRequest(filters, after) : null,
    ['message'],
    (_, data) => {
      // The server validates its messages against the schema of EventRecord.
      const event = data as EventRecord;
      if (filters.published !== '' && String(event.published) !== filters.published) return;
      const isShown =
        !paused && events.heldCount === 0 && !isFull(events) && pace.isDue() && !isInUse();
      if (isShown) pace.recordMove();
      setEvents((now) => {
        if ([...now.heldEvents, ...now.shownEvents].some(({ id }) => id === event.id)) return now;
        if (isShown) return { ...now, shownEvents: [event, ...now.shownEvents] };
        return {
          ...now,
          heldEvents: [event, ...now.heldEvents].slice(0, maxLiveEvents),
          heldCount: now.heldCount + 1,
        };
      });
    },
  );
  return {
    state,
    element,
    shownEvents: events.shownEvents,
    heldCount: events.heldCount,
    isPaused: paused,
    pause: (on) => {
      setPaused(on);
      if (!on) release();
    },
    release,
    reconnect: () => setIsReconnecting(true),
    updateEvents: (change) =>
      setEvents((now) => ({
        ...now,
        shownEvents: now.shownEvents.map(change),
        heldEvents: now.heldEvents.map(change),
      })),
  };
}

const isFull = ({ shownEvents, heldCount }: LiveEvents): boolean =>
  shownEvents.length + heldCount > maxLiveEvents;
