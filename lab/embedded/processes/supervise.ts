import { StartError } from '../start-error.ts';
import type { Tether } from './tether.ts';

export interface Service {
  pid: number;
  exited: Promise<void>;
  stop(): Promise<void>;
}

export interface Supervised {
  /** Stops it permanently. */
  stop(): Promise<void>;
}

export interface Supervision {
  name: string;
  /**
   * Starts it and waits until it is ready; called again after each unexpected end. `spawned` must
   * be called with its process id as soon as it has one.
   */
  start(spawned: (pid: number) => void): Promise<Service>;
  tether: Tether;
  /** The signal that ends it after this process has died. */
  signal: NodeJS.Signals;
  log(message: string): void;
  /** Called if it ended too often, or could not be restarted. */
  giveUp(reason: string): void;
  /** In milliseconds. Default: the time since this process started. */
  now?: () => number;
}

const allowedRestarts = 5;
/** A service that was ready for this long has recovered from its earlier failures. */
const steadyMilliseconds = 60_000;

/**
 * Starts a service and restarts it when it dies, up to five times in a row. Rejects when the first
 * start fails.
 */
export async function supervise(supervision: Supervision): Promise<Supervised> {
  const { name, tether, signal, log, giveUp, now = () => performance.now() } = supervision;
  let isStopping = false;
  /** Starts it; from the first moment, it ends with this process. */
  const start = async (): Promise<Service> => {
    const spawned: number[] = [];
    let readyPid: number | undefined;
    try {
      const service = await supervision.start((pid) => {
        spawned.push(pid);
        tether.attach(pid, signal);
      });
      readyPid = service.pid;
      // It may have been running already.
      if (!spawned.includes(readyPid)) tether.attach(readyPid, signal);
      return service;
    } finally {
      for (const pid of spawned) if (pid !== readyPid) tether.detach(pid);
    }
  };
  let service = await start();
  let readyAt = now();

  /** Restarts it; false if it should be tried again. */
  const restart = async (): Promise<boolean> => {
    try {
      service = await start();
      readyAt = now();
      return true;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      if (!isStopping) log(error.message);
      return false;
    }
  };
  const watch = async (): Promise<void> => {
    let restarts = 0;
    for (;;) {
      await service.exited;
      tether.detach(service.pid);
      if (now() - readyAt >= steadyMilliseconds) restarts = 0;
      do {
        if (isStopping) return;
        if (restarts === allowedRestarts) {
          giveUp(`The ${name} ended ${allowedRestarts + 1} times in a row. See its output.`);
          return;
        }
        restarts += 1;
        log(`The ${name} ended unexpectedly. Restarting it (${restarts} of ${allowedRestarts}).`);
      } while (!(await restart()));
      // Stopped while it was starting.
      if (isStopping) await service.stop();
    }
  };
  const watchDone = watch().catch((error: unknown) => {
    giveUp(`The ${name} could not be restarted: ${error instanceof Error ? error.message : error}`);
  });

  return {
    stop: async () => {
      isStopping = true;
      await service.stop();
      await watchDone;
    },
  };
}
