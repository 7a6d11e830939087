import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { useEffect, useRef } from 'preact/hooks';
import type { LoadedList } from './hooks.ts';
import { ApiProblem, type ApiRequest, send } from './request.ts';
import { watchDocuments } from './shared-stream.ts';

/** Interval at which changes without an event are polled, in milliseconds. */
const lookMs = 10_000;
/** Changes within this time, in milliseconds, are loaded together. */
const gatherMs = 300;

export interface Listed {
  id: string;
  version: number;
}

export interface LiveListOptions<T> {
  /** Whether the project's events can be read. */
  listens: boolean;
  /** The common prefix of their event types. */
  type: 'documents.job' | 'documents.review' | 'documents.pack';
  /** Suffixes of types that do not affect the list. */
  passing: readonly string[];
  get: (id: string) => ApiRequest<T>;
  /** The number of items per page. */
  perPage: number;
  /** Whether an item may still change. */
  runs: (item: T) => boolean;
  /** Some changes have no event. */
  silent?: boolean;
}

/**
 * Keeps a list up to date: with the project's events, and by polling while items may change without
 * an event. A list to which pages were added is not reset; its items are loaded one by one.
 */
export function useLiveList<T extends Listed, P>(
  list: LoadedList<T, P>,
  options: LiveListOptions<T>,
): void {
  const { listens, type, passing, perPage, runs, silent = false } = options;
  const latest = useRef({ list, options });
  latest.current = { list, options };
  const changed = useRef(new Set<string>());
  const isNew = useRef(false);
  const timer = useRef<number | undefined>(undefined);

  const flush = async (): Promise<void> => {
    timer.current = undefined;
    const ids = [...changed.current];
    changed.current.clear();
    if (isNew.current) {
      isNew.current = false;
      if (latest.current.list.items.length <= perPage) {
        latest.current.list.reload();
        return;
      }
    }
    for (const id of ids) {
      try {
        const { data: item } = await send(latest.current.options.get(id));
        latest.current.list.edit((items) =>
          items.map((one) => (one.id === id ? newer(one, item) : one)),
        );
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
      }
    }
  };
  const gather = (): void => {
    timer.current ??= window.setTimeout(() => void flush(), gatherMs);
  };
  const receive = useRef<(event: EventRecord) => void>(() => undefined);
  receive.current = ({ type: name, resource_id: id }) => {
    if (!name.startsWith(`${type}.`)) return;
    if (latest.current.list.items.some((item) => item.id === id)) changed.current.add(id);
    else if (passing.some((one) => name === `${type}.${one}`)) return;
    else isNew.current = true;
    gather();
  };
  const look = useRef<() => void>(() => undefined);
  look.current = () => {
    if (list.items.length <= perPage) return list.reload();
    for (const item of list.items) if (runs(item)) changed.current.add(item.id);
    gather();
  };
  useEffect(() => {
    if (!listens) return;
    // Changes before the stream opened were missed.
    return watchDocuments(
      (event) => receive.current(event),
      () => look.current(),
    );
  }, [listens]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const polls = (!listens || silent) && list.items.some(runs);
  useEffect(() => {
    if (!polls) return;
    const looking = window.setInterval(() => look.current(), lookMs);
    return () => window.clearInterval(looking);
  }, [polls]);
}

function newer<T extends Listed>(one: T, other: T): T {
  return other.version > one.version ? other : one;
}
