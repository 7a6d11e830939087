import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { listenTo } from '../../db/channels.ts';
import { configOf, PostgresClient } from '../../db/wire/client.ts';
import type { Logger } from '../../logger.ts';

/** How often a reader polls while the connection is down. */
const pollMs = 1_000;
const pauseMs = [100, 200, 500, 1_000, 2_000, 5_000];
const pingMs = 15_000;
const pingLimitMs = 5_000;

/** A reader's subscription to its project. Start it before reading, so that no event is missed. */
export interface Watch {
  /**
   * Waits for news since the watch started or since the last call. While the listening connection
   * is down it resolves every second, so that the caller polls.
   * @returns true if there may be news; false if the time is up, the signal fired or the listener
   *   closed
   */
  next(options: { timeoutMs: number; signal?: AbortSignal }): Promise<boolean>;
  close(): void;
}

/** Listens for numbered events, for all readers of a process, over one connection. */
export interface EventListener {
  watch(projectId: string): Watch;
  /** Aborted when the listener closes: waits and streams end. */
  readonly closing: AbortSignal;
  /** Whether the connection is up. */
  isConnected(): boolean;
  /** How many readers are waiting or streaming. */
  watcherCount(): number;
  close(): Promise<void>;
}

interface Watcher {
  hasNews: boolean;
  notify(): void;
}

/**
 * Listens for numbered events on a dedicated connection, and reconnects forever. Returns at once:
 * until connected, watches poll.
 */
export function listenForEvents(url: string, logger: Logger): EventListener {
  const watchers = new Map<string, Set<Watcher>>();
  const closing = new AbortController();
  // Every waiting reader adds a listener, so many of them are not a leak.
  setMaxListeners(0, closing.signal);
  let client: pg.Client | null = null;
  let isUp = false;

  const notifyProject = (projectId: string): void => {
    for (const watcher of watchers.get(projectId) ?? []) watcher.notify();
  };
  const notifyAll = (): void => {
    for (const projectId of watchers.keys()) notifyProject(projectId);
  };
  const onNotification = (payload: string | undefined): void => {
    if (!payload || payload === '*') notifyAll();
    else for (const projectId of payload.split(' ')) notifyProject(projectId);
  };

  /** Opens a connection and listens until it breaks. */
  const listenOnce = async (): Promise<void> => {
    const current = new PostgresClient({
      ...configOf(url),
      application_name: 'scriptorium events',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client = current;
    const disconnected = new Promise<void>((resolve) => {
      current.once('error', () => resolve());
      current.once('end', () => resolve());
    });
    // Later errors must not end the process.
    current.on('error', () => undefined);
    current.on('notification', ({ payload }) => onNotification(payload));
    let ping: NodeJS.Timeout | undefined;
    try {
      await connect(current, closing.signal);
      await listenTo(current, 'events');
      isUp = true;
      // Events may have been numbered before the connection was up.
      notifyAll();
      ping = setInterval(() => {
        // Detects a peer that vanished without closing the connection.
        const timeout = setTimeout(() => destroy(current), pingLimitMs).unref();
        current.query('SELECT').then(
          () => clearTimeout(timeout),
          () => clearTimeout(timeout),
        );
      }, pingMs);
      await disconnected;
    } finally {
      isUp = false;
      clearInterval(ping);
      destroy(current);
      notifyAll();
    }
  };

  const running = (async () => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const wasUp = await listenOnce().then(
        () => true,
        (error: unknown) => {
          logger.debug({ err: error }, 'cannot listen for events');
          return false;
        },
      );
      if (closing.signal.aborted) break;
      if (wasUp) {
        failures = 0;
        logger.warn('lost the connection that listens for events; readers poll until it is back');
      }
      const max = pauseMs[Math.min(failures, pauseMs.length - 1)]!;
      // Random, so that processes do not all reconnect at the same moment.
      await pause(max * (0.5 + Math.random() / 2), closing.signal);
    }
  })();

  return {
    closing: closing.signal,
    isConnected: () => isUp,
    watcherCount: () => [...watchers.values()].reduce((sum, set) => sum + set.size, 0),
    watch(projectId) {
      const watcher = createWatcher();
      const projectWatchers = watchers.get(projectId) ?? new Set();
      watchers.set(projectId, projectWatchers.add(watcher));
      return {
        next: ({ timeoutMs, signal }) =>
          watcher.wait(timeoutMs, () => isUp, [closing.signal, ...(signal ? [signal] : [])]),
        close() {
          projectWatchers.delete(watcher);
          if (projectWatchers.size === 0 && watchers.get(projectId) === projectWatchers)
            watchers.delete(projectId);
        },
      };
    },
    async close() {
      closing.abort();
      if (client) destroy(client);
      await running;
    },
  };
}

function createWatcher(): Watcher & {
  wait(timeoutMs: number, isUp: () => boolean, signals: AbortSignal[]): Promise<boolean>;
} {
  let wake: (() => void) | undefined;
  const watcher = {
    hasNews: false,
    notify() {
      watcher.hasNews = true;
      wake?.();
    },
    async wait(timeoutMs: number, isUp: () => boolean, signals: AbortSignal[]): Promise<boolean> {
      const end = performance.now() + timeoutMs;
      while (!watcher.hasNews) {
        const remainingMs = end - performance.now();
        if (remainingMs <= 0 || signals.some((signal) => signal.aborted)) return false;
        const mayPoll = remainingMs > pollMs;
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            for (const signal of signals) signal.removeEventListener('abort', done);
            wake = undefined;
            resolve();
          };
          const timer = setTimeout(done, Math.min(remainingMs, pollMs));
          for (const signal of signals) signal.addEventListener('abort', done, { once: true });
          wake = done;
        });
        if (mayPoll && !isUp() && !signals.some((signal) => signal.aborted)) watcher.notify();
      }
      watcher.hasNews = false;
      return true;
    },
  };
  return watcher;
}

function destroy(client: pg.Client): void {
  // `end` would wait for an answer that may never come.
  client.end().catch(() => undefined);
  client.connection.stream.destroy();
}

/** Connects; rejects when the signal fires, since the connection itself may not. */
function connect(client: pg.Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('The listener is closed.'));
    signal.addEventListener('abort', fail, { once: true });
    client
      .connect()
      .finally(() => signal.removeEventListener('abort', fail))
      .then(() => resolve(), reject);
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
