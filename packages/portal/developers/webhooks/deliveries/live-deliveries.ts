import { matchesType } from '@scriptorium/contracts/events/matches-type';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { DeliveryRecord, WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoadedList, Page } from '../../../api/hooks.ts';
import { type ListUse, useListUse } from '../../../api/list-use.ts';
import { ApiProblem, type ApiRequest, requestFor, send } from '../../../api/request.ts';
import { useStream } from '../../../api/stream.ts';
import { useSession } from '../../../shell/session.tsx';

type DeliveriesPage = Page<DeliveryRecord>;

/** Events within this time, in milliseconds, are processed together. */
const batchDelayMs = 300;
/**
 * The wait before checking an attempt that is due, in milliseconds; doubled while nothing changes.
 */
const initialDelayMs = 1_000;
const maxDelayMs = 15_000;
/**
 * Interval and duration, in milliseconds, of polling a visible page for changes without an event.
 */
const pollIntervalMs = 5_000;
const maxPollingMs = 30 * 60_000;
/** The longest timer that browsers support. */
const maxTimerMs = 2_147_483_647;

/**
 * Keeps the list of a webhook's deliveries up to date. The event stream announces new deliveries;
 * outcomes are loaded when they are due, because deliveries record no events. Older pages are not
 * reloaded. While the list is in use, new deliveries are only counted.
 */
export function useLiveDeliveries(
  webhook: WebhookRecord,
  request: ApiRequest<DeliveriesPage>,
  list: LoadedList<DeliveryRecord, DeliveriesPage>,
  onChange: () => void,
): Pick<ListUse, 'element'> & { newCount: number; showNew: () => void } {
  const { can } = useSession();
  const [newCount, setNewCount] = useState(0);
  const latest = useRef({ webhook, request, list, onChange });
  latest.current = { webhook, request, list, onChange };
  const refresh = async (): Promise<void> => {
    const sentRequest = latest.current.request;
    const { data } = await send(sentRequest);
    // If filters were set meanwhile, another list has been loaded.
    if (latest.current.request.path !== sentRequest.path) return;
    if (JSON.stringify(latest.current.request.query) !== JSON.stringify(sentRequest.query)) return;
    const { items } = latest.current.list;
    const knownIds = new Set(items.map(({ id }) => id));
    const newItems = data.data.filter(({ id }) => !knownIds.has(id));
    const holdsStill = newItems.length > 0 && items.length > 0 && isInUse();
    setNewCount(holdsStill ? newItems.length : 0);
    latest.current.list.updateItems((items) =>
      holdsStill ? updateKnown(items, data) : replaceFirstPage(items, data),
    );
  };
  const { element, isInUse } = useListUse(() => {
    if (newCount > 0) polling.reloadNow();
  });
  const polling = useDuePolling(list.items, refresh);
  const timer = useRef<number | undefined>(undefined);
  const stream = can('events:read') ? requestFor('streamEvents') : null;
  const streamState = useStream(stream, ['message'], (_, data) => {
    const { type } = data as EventRecord;
    if (!latest.current.webhook.event_types.some((pattern) => matchesType(pattern, type))) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      polling.reloadNow();
    }, batchDelayMs);
  });
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    // The list may have been read before the stream opened.
    if (streamState === 'open') polling.reloadNow();
  }, [streamState]);
  const progress = progressOf(list.items);
  const isInitial = useRef(true);
  useEffect(() => {
    // The webhook was loaded with the list, so later changes affect its health too.
    if (!isInitial.current) latest.current.onChange();
    if (list.items.length > 0) isInitial.current = false;
  }, [progress]);
  const showNew = (): void => {
    setNewCount(0);
    list.reload();
  };
  return { element, newCount, showNew };
}

/**
 * Reloads deliveries when their next attempt is due, or while one is in progress.
 * @param reload loads them again
 */
export function useDuePolling(
  deliveries: readonly DeliveryRecord[],
  reload: () => Promise<void>,
): { reloadNow: () => void } {
  const [reloadCount, setReloadCount] = useState(0);
  const latestReload = useRef(reload);
  latestReload.current = reload;
  const backoff = useRef({ progress: '', round: 0, ms: initialDelayMs });
  const progress = progressOf(deliveries);
  const runReload = useRef(() => {
    latestReload
      .current()
      .catch((error: unknown) => {
        // The next reload tries the connection again.
        if (!(error instanceof ApiProblem)) throw error;
      })
      .finally(() => setReloadCount((now) => now + 1));
  });
  const dueAt = Math.min(...deliveries.map(nextChangeAt));
  useEffect(() => {
    if (dueAt === Number.POSITIVE_INFINITY) return;
    const { current } = backoff;
    const isUnchanged = current.progress === progress && current.round !== reloadCount;
    const ms =
      current.progress !== progress ? initialDelayMs : isUnchanged ? 2 * current.ms : current.ms;
    backoff.current = { progress, round: reloadCount, ms: Math.min(ms, maxDelayMs) };
    const timer = window.setTimeout(
      runReload.current,
      Math.min(Math.max(dueAt - Date.now(), ms), maxTimerMs),
    );
    return () => window.clearTimeout(timer);
  }, [progress, reloadCount, dueAt]);
  return { reloadNow: runReload.current };
}

/**
 * Reloads periodically while the page is visible, because others may restart a delivery. Stops half
 * an hour after the page became visible, because requests keep an idle session alive.
 */
export function useVisiblePolling(reload: () => void): void {
  useEffect(() => {
    let visibleSince = Date.now();
    const reloadIfVisible = (): void => {
      if (!document.hidden && Date.now() < visibleSince + maxPollingMs) reload();
    };
    const handleVisibility = (): void => {
      visibleSince = Date.now();
      reloadIfVisible();
    };
    const timer = window.setInterval(reloadIfVisible, pollIntervalMs);
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', handleVisibility);
    };
  }, [reload]);
}

/** Returns when a delivery may change next, in Unix milliseconds; 0 while it is in progress. */
function nextChangeAt({ state, next_attempt_at: next }: DeliveryRecord): number {
  if (state === 'delivering') return 0;
  return next === null ? Number.POSITIVE_INFINITY : Date.parse(next);
}

/** A value that changes whenever an attempt begins or ends. */
function progressOf(deliveries: readonly DeliveryRecord[]): string {
  return deliveries.map(({ id, state, attempts_made: n }) => `${id} ${state} ${n}`).join();
}

/** Updates the items that are shown. Others stay away, so that no row moves. */
function updateKnown(items: DeliveryRecord[], { data }: DeliveriesPage): DeliveryRecord[] {
  const updated = new Map(data.map((one) => [one.id, one]));
  return items.map((one) => updated.get(one.id) ?? one);
}

function replaceFirstPage(items: DeliveryRecord[], { data, next_cursor: next }: DeliveriesPage) {
  const last = data.at(-1);
  const older = next !== null && last ? items.filter(({ id }) => id < last.id) : [];
  return [...data, ...older];
}
