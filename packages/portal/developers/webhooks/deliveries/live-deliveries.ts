import { matchesType } from '@scriptorium/contracts/events/matches-type';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { DeliveryRecord, WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type FirstPage, useFirstPage } from '../../../api/first-page.ts';
import type { LoadedList, Page } from '../../../api/hooks.ts';
import { ApiProblem, type ApiRequest, requestFor } from '../../../api/request.ts';
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
 * reloaded. Rows are added one by one, and not while the list is in use.
 */
export function useLiveDeliveries(
  webhook: WebhookRecord,
  request: ApiRequest<DeliveriesPage>,
  list: LoadedList<DeliveryRecord, DeliveriesPage>,
  onChange: () => void,
): Omit<FirstPage, 'update'> {
  const { can } = useSession();
  const latest = useRef({ webhook, onChange });
  latest.current = { webhook, onChange };
  const firstPage = useFirstPage<DeliveryRecord, DeliveriesPage>(list, { request });
  const polling = useDuePolling(list.items, firstPage.update);
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
  return firstPage;
}

/**
 * Reloads deliveries when their next attempt is due, or while one is in progress.
 * @param reload loads them again
 */
export function useDuePolling(
  deliveries: readonly DeliveryRecord[],
  reload: () => Promise<unknown>,
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
