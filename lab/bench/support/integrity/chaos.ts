import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A process that can be killed, as by a crash. */
export interface KillableProcess {
  kill(): Promise<void>;
  /** Resolves when it has exited, for any reason. */
  exited: Promise<unknown>;
}

export interface Chaos {
  cuts: number;
  kills: number;
  /** Starts to inject faults. */
  begin(): void;
  /** Injects only the faults that are due; relays that exit are still restarted. */
  finish(): Promise<void>;
  /** Stops supervising the relays. */
  close(): Promise<void>;
}

/** Every n-th fault kills a relay, which takes a while to restart. */
const killEvery = 6;
const pollMs = 20;

/**
 * Starts relays and supervises them: one that exits is restarted within a second. Cuts random
 * connections of the API, the workers, the relays and the writers to this database, and
 * occasionally kills a relay.
 */
export async function startChaos(options: {
  /** A superuser's URL of the database whose connections are cut. */
  databaseUrl: string;
  startRelay: () => KillableProcess;
  relays: number;
  /**
   * The progress of the run. Faults depend on it rather than on the clock, so that their number
   * does not depend on the speed of the machine.
   */
  progress: () => number;
  /** The average progress between two faults. */
  progressPerFault: number;
  random: () => number;
}): Promise<Chaos> {
  const { random } = options;
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  const finishing = new AbortController();
  const closing = new AbortController();
  const relays: KillableProcess[] = [];
  const supervise = async (at: number): Promise<void> => {
    while (!closing.signal.aborted) {
      const relay = options.startRelay();
      relays[at] = relay;
      await relay.exited;
      await sleep(random() * 1_000, closing.signal);
    }
  };
  for (let at = 0; at < options.relays; at++) void supervise(at);

  const cut = async (): Promise<number> => {
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND usename IN ('api', 'worker', 'relay')
         ORDER BY random() LIMIT $1) AS chosen`,
      [1 + Math.floor(random() * 4)],
    );
    return rowCount ?? 0;
  };
  let injection: Promise<void> | undefined;
  const chaos: Chaos = {
    cuts: 0,
    kills: 0,
    begin() {
      injection = (async () => {
        let due = 0;
        for (let turn = 1; ; turn++) {
          due += options.progressPerFault * 2 * random();
          while (options.progress() < due) {
            if (finishing.signal.aborted) return;
            await sleep(pollMs, finishing.signal);
          }
          if (turn % killEvery === 0) {
            await relays[Math.floor(random() * relays.length)]!.kill();
            chaos.kills += 1;
          } else {
            chaos.cuts += await cut();
          }
        }
      })();
    },
    async finish() {
      finishing.abort();
      await injection;
    },
    async close() {
      closing.abort();
      await chaos.finish();
      await client.end();
    },
  };
  return chaos;
}

/** Sleeps for a time, or until the signal fires. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
