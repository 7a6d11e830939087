import { matchesType } from '@scriptorium/contracts/events/matches-type';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { DeliveryRecord, WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoadedList, Page } from '../../../api/hooks.ts';
import { ApiProblem, type ApiRequest, requestFor, send } from '../../../api/request.ts';
import { useStream } from '../../../api/stream.ts';
import { useSession } from '../../../shell/session.tsx';

type Deliveries = Page<DeliveryRecord>;

/** Events within this time, in milliseconds, are processed together. */
const gatherMs = 300;
/**
 * The wait before checking an attempt that is due, in milliseconds; doubled while nothing changes.
 */
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;
/**
 * Interval and duration, in milliseconds, of polling a visible page for changes without an event.
 */
const glanceMs = 5_000;
const watchedMs = 30 * 60_000;
/** The longest timer that browsers support. */
const longestTimerMs = 2_147_483_647;

/**
 * Keeps the list of a webhook's deliveries up to date: new ones by the event stream, outcomes when
 * they are due, because a delivery records no events of its own. Older pages stay as loaded.
 */
export function useLiveDeliveries(
  webhook: WebhookRecord,
  request: ApiRequest<Deliveries>,
  list: LoadedList<DeliveryRecord, Deliveries>,
  onChange: () => void,
): void {
  const { can } = useSession();
  const latest = useRef({ webhook, request, list, onChange });
  latest.current = { webhook, request, list, onChange };
  const refresh = async (): Promise<void> => {
    const asked = latest.current.request;
    const { data } = await send(asked);
    // If filters were set meanwhile, another list has been loaded.
    if (latest.current.request.path !== asked.path) return;
    if (JSON.stringify(latest.current.request.query) !== JSON.stringify(asked.query)) return;
    latest.current.list.edit((items) => withFirstPage(items, data));
  };
  const looks = useLooks(list.items, refresh);
  const timer = useRef<number | undefined>(undefined);
  const stream = can('events:read') ? requestFor('streamEvents') : null;
  const following = useStream(stream, ['message'], (_, data) => {
    const { type } = data as EventRecord;
    if (!latest.current.webhook.event_types.some((pattern) => matchesType(pattern, type))) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      looks.now();
    }, gatherMs);
  });
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    // The list may have been read before the stream opened.
    if (following === 'open') looks.now();
  }, [following]);
  const progress = progressOf(list.items);
  const first = useRef(true);
  useEffect(() => {
    // The webhook was loaded with the list, so later changes affect its health too.
    if (!first.current) latest.current.onChange();
    if (list.items.length > 0) first.current = false;
  }, [progress]);
}

/**
 * Reloads deliveries when their next attempt is due, or while one is in progress.
 * @param look reloads them
 */
export function useLooks(
  deliveries: readonly DeliveryRecord[],
  look: () => Promise<void>,
): { now: () => void } {
  const [round, setRound] = useState(0);
  const latest = useRef(look);
  latest.current = look;
  const wait = useRef({ progress: '', round: 0, ms: firstWaitMs });
  const progress = progressOf(deliveries);
  const run = useRef(() => {
    latest
      .current()
      .catch((error: unknown) => {
        // The next reload detects the connection again.
        if (!(error instanceof ApiProblem)) throw error;
      })
      .finally(() => setRound((now) => now + 1));
  });
  const at = Math.min(...deliveries.map(expectedAt));
  useEffect(() => {
    if (at === Number.POSITIVE_INFINITY) return;
    const { current: last } = wait;
    const isVain = last.progress === progress && last.round !== round;
    const ms = last.progress !== progress ? firstWaitMs : isVain ? 2 * last.ms : last.ms;
    wait.current = { progress, round, ms: Math.min(ms, longestWaitMs) };
    const timer = window.setTimeout(
      run.current,
      Math.min(Math.max(at - Date.now(), ms), longestTimerMs),
    );
    return () => window.clearTimeout(timer);
  }, [progress, round, at]);
  return { now: run.current };
}

/**
 * Checks deliveries that others may restart, while the page is visible. It ends half an hour after
 * the page became visible, because requests would keep an idle session alive.
 */
export function useGlances(look: () => void): void {
  useEffect(() => {
    let since = Date.now();
    const glance = (): void => {
      if (!document.hidden && Date.now() < since + watchedMs) look();
    };
    const back = (): void => {
      since = Date.now();
      glance();
    };
    const timer = window.setInterval(glance, glanceMs);
    document.addEventListener('visibilitychange', back);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', back);
    };
  }, [look]);
}

/** When a delivery may change next. */
function expectedAt({ state, next_attempt_at: next }: DeliveryRecord): number {
  if (state === 'delivering') return 0;
  return next === null ? Number.POSITIVE_INFINITY : Date.parse(next);
}

/** A value that changes whenever an attempt begins or ends. */
function progressOf(deliveries: readonly DeliveryRecord[]): string {
  return deliveries.map(({ id, state, attempts_made: n }) => `${id} ${state} ${n}`).join();
}

function withFirstPage(items: DeliveryRecord[], { data, next_cursor: next }: Deliveries) {
  const last = data.at(-1);
  const older = next !== null && last ? items.filter(({ id }) => id < last.id) : [];
  return [...data, ...older];
}
