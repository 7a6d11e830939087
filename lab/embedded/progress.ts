import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/**
 * Reports the progress of a start. Progress is reported once the start takes long, which is
 * accepted as long as it continues.
 */
export interface Progress {
  /** Runs a part of the start. `what` describes it, such as 'starting Postgres'. */
  during<T>(
    description: string,
    work: (step: Step) => Promise<T>,
    limits?: { logFile?: string; mayStall?: boolean },
  ): Promise<T>;
  /** Reports the current step if that is due; called every second. */
  reportIfDue(): void;
}

/** A part of the start in progress. */
export interface Step {
  /** Called when it has progressed. `detail` describes how far, such as 'migration 12 of 74'. */
  advance(detail: string): void;
  /** @throws StartError if the start must stop, or there has been no progress for minutes */
  check(): void;
  /** Polls until there is an answer. @throws any error of `check` */
  pollUntil<T>(poll: () => Promise<T | undefined>): Promise<T>;
  /** Waits for work, which continues if this throws. @throws what `check` throws */
  waitFor<T>(work: Promise<T>): Promise<T>;
}

interface ProgressOptions {
  log?: (line: string) => void;
  /** Ends the wait. */
  signal?: AbortSignal;
  /** In milliseconds. Default: the time since this process started. */
  now?: () => number;
  pause?: (milliseconds: number) => Promise<unknown>;
}

/** The time before the first report, and between reports. */
const reportIntervalMs = 10_000;
/**
 * The maximum time without progress. A busy machine slows a step of seconds, but not to minutes.
 */
const stalledMinutes = 5;
const firstPauseMs = 15;
const maxPauseMs = 250;

/** A step in progress: `detail` describes how far it is, since `movedAt`. */
interface Activity {
  description: string;
  detail: string;
  lastAdvanceAt: number;
  logFile: string | undefined;
  mayStall: boolean;
}

export function createProgress(options: ProgressOptions = {}): Progress {
  const { log, signal, now = () => performance.now(), pause = delay } = options;
  const activities = new Set<Activity>();
  const startedAt = now();
  let reportedAt = startedAt;

  const report = (): void => {
    reportedAt = now();
    const seconds = Math.round((reportedAt - startedAt) / 1_000);
    if (activities.size > 0)
      log?.(`After ${seconds} s: ${[...activities].map(describeActivity).join('; ')}.`);
  };
  const stepOf = (activity: Activity): Step => {
    const step: Step = {
      advance(detail) {
        if (detail === activity.detail) return;
        activity.detail = detail;
        activity.lastAdvanceAt = now();
      },
      check() {
        if (signal?.aborted) throw new StartError(`Stopped while ${describeActivity(activity)}.`);
        if (activity.mayStall || now() - activity.lastAdvanceAt < stalledMinutes * 60_000) return;
        const hint = activity.logFile ? ` See ${activity.logFile}.` : '';
        throw new StartError(
          `Nothing has moved for ${stalledMinutes} minutes while ${describeActivity(activity)}.${hint}`,
        );
      },
      async pollUntil(ask) {
        // The pause grows, because each poll takes time from the awaited process.
        for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
          const result = await ask();
          if (result !== undefined) return result;
          step.check();
          await pause(pauseMs);
        }
      },
      async waitFor(work) {
        let isSettled = false;
        const settle = (): void => {
          isSettled = true;
        };
        work.then(settle, settle);
        const watch = async (): Promise<never> => {
          while (!isSettled) {
            step.check();
            await pause(maxPauseMs);
          }
          return new Promise(() => {});
        };
        return Promise.race([work, watch()]);
      },
    };
    return step;
  };
  return {
    async during(description, work, { logFile, mayStall = false } = {}) {
      const activity = { description, detail: '', lastAdvanceAt: now(), logFile, mayStall };
      activities.add(activity);
      const step = stepOf(activity);
      try {
        step.check();
        // From here on the start takes long, so each of its steps is worth a line.
        if (now() - startedAt >= reportIntervalMs) report();
        return await work(step);
      } finally {
        activities.delete(activity);
      }
    },
    reportIfDue() {
      if (now() - reportedAt >= reportIntervalMs) report();
    },
  };
}

function describeActivity({ description: what, detail }: Activity): string {
  return detail ? `${what} (${detail})` : what;
}
