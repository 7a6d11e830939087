import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoadedList, Page } from './hooks.ts';
import { type ListUse, useListUse } from './list-use.ts';
import { ApiProblem, type ApiRequest, pathOf, send } from './request.ts';
import { watchDocumentEvents } from './shared-stream.ts';

/** Interval at which changes without an event are polled, in milliseconds. */
const pollIntervalMs = 10_000;
/** Changes within this time, in milliseconds, are loaded together. */
const batchDelayMs = 300;

export interface VersionedItem {
  id: string;
  version: number;
}

export interface LiveListOptions<T> {
  /** Whether the project's events can be read. */
  canReadEvents: boolean;
  /** The prefix of the event types of the items. */
  eventPrefix: 'documents.job' | 'documents.review' | 'documents.pack';
  /** Suffixes of event types that add no item to the list. */
  ignoredSuffixes: readonly string[];
  /** Requests the first page, to count new items; null shows no count. */
  listRequest: ApiRequest<Page<T>> | null;
  itemRequest: (id: string) => ApiRequest<T>;
  /** The number of items per page. */
  perPage: number;
  /** Whether an item may still change. */
  mayChange: (item: T) => boolean;
  /** Whether a changed item still matches the filters of the list. Default: it does. */
  belongs?: (item: T) => boolean;
  /** Whether some changes have no event. */
  hasSilentChanges?: boolean;
}

export interface LiveItems {
  /** The element of the list. */
  element: ListUse['element'];
  /** How many new items are not shown yet. */
  newCount: number;
  showNew: () => void;
}

/**
 * Keeps a list up to date from the project's events, and by polling while items may change without
 * an event. While the list is in use, and once further pages are loaded, changed items are loaded
 * one by one instead of resetting the list, and new ones are only counted.
 */
export function useLiveList<T extends VersionedItem, P>(
  list: LoadedList<T, P>,
  options: LiveListOptions<T>,
): LiveItems {
  const {
    canReadEvents,
    eventPrefix,
    ignoredSuffixes,
    perPage,
    mayChange,
    hasSilentChanges = false,
  } = options;
  const latest = useRef({ list, options });
  latest.current = { list, options };
  const changedIds = useRef(new Set<string>());
  const mayHaveNewItems = useRef(false);
  const [newIds, setNewIds] = useState<readonly string[]>([]);
  // They may have been loaded meanwhile.
  const shownIds = new Set(list.items.map(({ id }) => id));
  const newCount = newIds.filter((id) => !shownIds.has(id)).length;
  const showNew = (): void => {
    mayHaveNewItems.current = false;
    setNewIds([]);
    latest.current.list.reload();
  };
  /** An empty list has no rows to hold. */
  const mayReload = (): boolean => {
    const { length } = latest.current.list.items;
    return length === 0 || (length <= perPage && !isInUse());
  };
  const { element, isInUse } = useListUse(() => {
    if (mayReload() && (mayHaveNewItems.current || newCount > 0)) showNew();
  });
  /** Finds the items of the first page that are not shown: not every new item matches the filters. */
  const findNew = async (): Promise<void> => {
    const { options } = latest.current;
    if (!options.listRequest) return;
    mayHaveNewItems.current = false;
    try {
      const { data } = await send(options.listRequest);
      if (keyOf(latest.current.options.listRequest) !== keyOf(options.listRequest)) return;
      setNewIds(data.data.map(({ id }) => id));
    } catch (error) {
      mayHaveNewItems.current = true;
      if (!(error instanceof ApiProblem)) throw error;
    }
  };
  const listKey = keyOf(options.listRequest);
  useEffect(() => setNewIds([]), [listKey]);
  const timer = useRef<number | undefined>(undefined);

  const flush = async (): Promise<void> => {
    timer.current = undefined;
    // A list that is being loaded may show the new items itself.
    if (latest.current.list.loading) return scheduleFlush();
    const ids = [...changedIds.current];
    changedIds.current.clear();
    if (mayHaveNewItems.current) {
      if (mayReload()) return showNew();
      await findNew();
    }
    for (const id of ids) {
      try {
        const { data: item } = await send(latest.current.options.itemRequest(id));
        if (latest.current.options.belongs?.(item) === false) {
          if (mayReload()) return showNew();
          mayHaveNewItems.current = true;
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
    else mayHaveNewItems.current = true;
    scheduleFlush();
  };
  const refresh = useRef<() => void>(() => undefined);
  refresh.current = () => {
    if (!list.loading && mayReload()) return showNew();
    mayHaveNewItems.current = true;
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
  return { element, newCount, showNew };
}

const keyOf = (request: ApiRequest<unknown> | null): string => (request ? pathOf(request) : '');

function newer<T extends VersionedItem>(current: T, other: T): T {
  return other.version > current.version ? other : current;
}
