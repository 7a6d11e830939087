import type { Tether } from './tether.ts';

export interface Service {
  pid: number;
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface Supervised {
  /** Stops it for good. */
  stop(): Promise<void>;
}

export interface Supervision {
  name: string;
  /** Starts it; called again after each unexpected end. */
  start(): Promise<Service>;
  tether: Tether;
  /** What ends it when this process has died. */
  signal: NodeJS.Signals;
  log(message: string): void;
  /** It ended too often, or could not be restarted. */
  giveUp(reason: string): void;
}

const allowedRestarts = 5;
const withinMilliseconds = 60_000;

/**
 * Starts a service and restarts it when it dies, at most five times a minute. Rejects when the
 * first start fails.
 */
export async function supervise(supervision: Supervision): Promise<Supervised> {
  const { name, tether, signal, log, giveUp } = supervision;
  let stopping = false;
  let service = await supervision.start();
  tether.hold(service.pid, signal);

  const watch = async (): Promise<void> => {
    const restarts: number[] = [];
    for (;;) {
      await service.exited;
      tether.release(service.pid);
      if (stopping) return;
      const now = Date.now();
      while (restarts[0] !== undefined && restarts[0] < now - withinMilliseconds) restarts.shift();
      if (restarts.length === allowedRestarts) {
        giveUp(`The ${name} ended ${allowedRestarts + 1} times within a minute. See its output.`);
        return;
      }
      restarts.push(now);
      log(
        `The ${name} ended unexpectedly. Restarting it (${restarts.length} of ${allowedRestarts}).`,
      );
      service = await supervision.start();
      tether.hold(service.pid, signal);
      // Stopped while it was starting.
      if (stopping) await service.stop();
    }
  };
  const watching = watch().catch((error: unknown) => {
    giveUp(`The ${name} could not be restarted: ${error instanceof Error ? error.message : error}`);
  });

  return {
    stop: async () => {
      stopping = true;
      await service.stop();
      await watching;
    },
  };
}
