import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useRef } from 'preact/hooks';
import { type FirstPage, useFirstPage } from './first-page.ts';
import type { LoadedList, Page } from './hooks.ts';
import { ApiProblem, type ApiRequest, send } from './request.ts';
import { watchDocumentEvents } from './shared-stream.ts';

/** Interval at which changes without an event are polled, in milliseconds. */
const pollIntervalMs = 10_000;
/** Changes within this time, in milliseconds, are loaded together. */
const batchDelayMs = 300;

export interface VersionedItem {
  id: string;
  version: number;
}

export interface LiveListOptions<T, P extends Page<T> = Page<T>> {
  /** Whether the project's events can be read. */
  canReadEvents: boolean;
  /** The prefix of the event types of the items. */
  eventPrefix: 'documents.job' | 'documents.review' | 'documents.pack';
  /** Suffixes of event types that add no item to the list. */
  ignoredSuffixes: readonly string[];
  /** The request of the list. Null updates nothing. */
  listRequest: ApiRequest<P> | null;
  itemRequest: (id: string) => ApiRequest<T>;
  /** Whether an item may still change. */
  mayChange: (item: T) => boolean;
  /** Whether a changed item still matches the filters of the list. Default: it does. */
  belongs?: (item: T) => boolean;
  /** Whether some changes have no event. */
  hasSilentChanges?: boolean;
}

/**
 * Keeps a list up to date from the project's events, and by polling while items may change without
 * an event. Rows are added and removed one by one, and not while the list is in use.
 */
export function useLiveList<T extends VersionedItem, P extends Page<T>>(
  list: LoadedList<T, P>,
  options: LiveListOptions<T, P>,
): Omit<FirstPage, 'update'> {
  const {
    canReadEvents,
    eventPrefix,
    ignoredSuffixes,
    mayChange,
    hasSilentChanges = false,
  } = options;
  const latest = useRef({ list, options });
  latest.current = { list, options };
  const changedIds = useRef(new Set<string>());
  const hasOutdatedPage = useRef(false);
  const firstPage = useFirstPage<T, P>(list, {
    request: options.listRequest,
    belongs: options.belongs,
    newer,
  });
  const timer = useRef<number | undefined>(undefined);

  const flush = async (): Promise<void> => {
    timer.current = undefined;
    // A list that is being loaded may show the new items itself.
    if (latest.current.list.loading) return scheduleFlush();
    const ids = [...changedIds.current];
    changedIds.current.clear();
    let loadedIds: ReadonlySet<string> = new Set();
    if (hasOutdatedPage.current) {
      hasOutdatedPage.current = false;
      try {
        loadedIds = await firstPage.update();
      } catch (error) {
        hasOutdatedPage.current = true;
        if (!(error instanceof ApiProblem)) throw error;
      }
    }
    for (const id of ids) {
      if (loadedIds.has(id)) continue;
      try {
        const { data: item } = await send(latest.current.options.itemRequest(id));
        if (latest.current.options.belongs?.(item) === false) {
          hasOutdatedPage.current = true;
          scheduleFlush();
        }
        latest.current.list.updateItems((items) =>
          items.map((one) => (one.id === id ? newer(one, item) : one)),
        );
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
      }
    }
  };
  const scheduleFlush = (): void => {
    timer.current ??= window.setTimeout(() => void flush(), batchDelayMs);
  };
  const receive = useRef<(event: EventRecord) => void>(() => undefined);
  receive.current = ({ type: name, resource_id: id }) => {
    if (!name.startsWith(`${eventPrefix}.`)) return;
    if (latest.current.list.items.some((item) => item.id === id)) changedIds.current.add(id);
    else if (ignoredSuffixes.some((one) => name === `${eventPrefix}.${one}`)) return;
    else hasOutdatedPage.current = true;
    scheduleFlush();
  };
  const refresh = useRef<() => void>(() => undefined);
  refresh.current = () => {
    hasOutdatedPage.current = true;
    for (const item of list.items) if (mayChange(item)) changedIds.current.add(item.id);
    scheduleFlush();
  };
  useEffect(() => {
    if (!canReadEvents) return;
    // Changes before the stream opened were missed.
    return watchDocumentEvents(
      (event) => receive.current(event),
      () => refresh.current(),
    );
  }, [canReadEvents]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const shouldPoll = (!canReadEvents || hasSilentChanges) && list.items.some(mayChange);
  useEffect(() => {
    if (!shouldPoll) return;
    const interval = window.setInterval(() => refresh.current(), pollIntervalMs);
    return () => window.clearInterval(interval);
  }, [shouldPoll]);
  return firstPage;
}

function newer<T extends VersionedItem>(current: T, other: T): T {
  return other.version > current.version ? other : current;
}
