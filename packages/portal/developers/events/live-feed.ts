import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useRef, useState } from 'preact/hooks';
import { rowIntervalMs } from '../../api/first-page.ts';
import { type ListUse, useListUse } from '../../api/list-use.ts';
import { requestFor } from '../../api/request.ts';
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
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<number | undefined>(undefined);
  const release = () => {
    if (isFull(events)) return reloadList();
    movedAt.current = performance.now();
    setEvents(({ heldEvents, shownEvents }) => ({
      ...noEvents,
      shownEvents: [...heldEvents, ...shownEvents],
    }));
  };
  const { element, isInUse } = useListUse(() => showNextLater());
  /** Shows the oldest of the held events, unless the list must hold still. */
  const showNext = useRef<() => void>(() => undefined);
  showNext.current = () => {
    timer.current = undefined;
    if (paused || events.heldCount === 0 || isInUse()) return;
    if (isFull(events)) {
      if (events.heldCount === 1) reloadList();
      return;
    }
    movedAt.current = performance.now();
    setEvents(({ shownEvents, heldEvents, heldCount }) => ({
      shownEvents: [...heldEvents.slice(-1), ...shownEvents],
      heldEvents: heldEvents.slice(0, -1),
      heldCount: heldCount - 1,
    }));
  };
  const showNextLater = (): void => {
    timer.current ??= window.setTimeout(
      () => showNext.current(),
      movedAt.current + rowIntervalMs - performance.now(),
    );
  };
  useEffect(() => {
    if (events.heldCount > 0) showNextLater();
  }, [events.heldCount]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
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
        !paused &&
        events.heldCount === 0 &&
        !isFull(events) &&
        performance.now() >= movedAt.current + rowIntervalMs &&
        !isInUse();
      if (isShown) movedAt.current = performance.now();
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
