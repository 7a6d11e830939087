import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/**
 * Reports the progress of a start. Progress is reported once the start takes long, which is
 * accepted as long as it continues.
 */
export interface Progress {
  /** Runs a part of the start. `what` describes it, such as 'starting Postgres'. */
  during<T>(
    what: string,
    work: (step: Step) => Promise<T>,
    limits?: { logFile?: string; mayStandStill?: boolean },
  ): Promise<T>;
  /** Reports the current step if that is due; called every second. */
  say(): void;
}

/** A part of the start in progress. */
export interface Step {
  /** Called when it has progressed. `detail` describes how far, such as 'migration 12 of 74'. */
  advance(detail: string): void;
  /** @throws StartError if the start must stop, or there has been no progress for minutes */
  check(): void;
  /** Polls until there is an answer. @throws any error of `check` */
  until<T>(ask: () => Promise<T | undefined>): Promise<T>;
  /** Waits for work, which continues if this throws. @throws what `check` throws */
  settled<T>(work: Promise<T>): Promise<T>;
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
const sayMs = 10_000;
/**
 * The maximum time without progress. A busy machine slows a step of seconds, but not to minutes.
 */
const stalledMinutes = 5;
const firstPauseMs = 15;
const longestPauseMs = 250;

/** A step in progress: `detail` describes how far it is, since `movedAt`. */
interface Activity {
  what: string;
  detail: string;
  movedAt: number;
  logFile: string | undefined;
  mayStandStill: boolean;
}

export function createProgress(options: ProgressOptions = {}): Progress {
  const { log, signal, now = () => performance.now(), pause = delay } = options;
  const activities = new Set<Activity>();
  const startedAt = now();
  let saidAt = startedAt;

  const tell = (): void => {
    saidAt = now();
    const seconds = Math.round((saidAt - startedAt) / 1_000);
    if (activities.size > 0)
      log?.(`After ${seconds} s: ${[...activities].map(phrase).join('; ')}.`);
  };
  const stepOf = (activity: Activity): Step => {
    const step: Step = {
      advance(detail) {
        if (detail === activity.detail) return;
        activity.detail = detail;
        activity.movedAt = now();
      },
      check() {
        if (signal?.aborted) throw new StartError(`Stopped while ${phrase(activity)}.`);
        if (activity.mayStandStill || now() - activity.movedAt < stalledMinutes * 60_000) return;
        const see = activity.logFile ? ` See ${activity.logFile}.` : '';
        throw new StartError(
          `Nothing has moved for ${stalledMinutes} minutes while ${phrase(activity)}.${see}`,
        );
      },
      async until(ask) {
        // The pause grows, because each poll takes time from the awaited process.
        for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
          const answer = await ask();
          if (answer !== undefined) return answer;
          step.check();
          await pause(pauseMs);
        }
      },
      async settled(work) {
        let isSettled = false;
        const settle = (): void => {
          isSettled = true;
        };
        work.then(settle, settle);
        const watch = async (): Promise<never> => {
          while (!isSettled) {
            step.check();
            await pause(longestPauseMs);
          }
          return new Promise(() => {});
        };
        return Promise.race([work, watch()]);
      },
    };
    return step;
  };
  return {
    async during(what, work, { logFile, mayStandStill = false } = {}) {
      const activity = { what, detail: '', movedAt: now(), logFile, mayStandStill };
      activities.add(activity);
      const step = stepOf(activity);
      try {
        step.check();
        // From here on the start takes long, so each of its steps is worth a line.
        if (now() - startedAt >= sayMs) tell();
        return await work(step);
      } finally {
        activities.delete(activity);
      }
    },
    say() {
      if (now() - saidAt >= sayMs) tell();
    },
  };
}

function phrase({ what, detail }: Activity): string {
  return detail ? `${what} (${detail})` : what;
}
