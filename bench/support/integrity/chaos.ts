import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A process that can be killed as a crash would. */
export interface Killable {
  kill(): Promise<void>;
}

/** Every so many faults a relay is killed: it takes a while to be back. */
const killEvery = 6;

export interface Chaos {
  cuts: number;
  kills: number;
  /** No more of it; every relay that was killed runs again. */
  stop(): Promise<void>;
}

/**
 * Cuts connections of the API, the workers and the relays to this database at random, and kills one
 * of the relays now and then, which comes back up to a second later. The one that breaks things
 * starts the relays, and leaves them running.
 */
export async function startChaos(options: {
  /** A superuser's, to the database whose connections are cut. */
  databaseUrl: string;
  startRelay: () => Killable;
  relays: number;
  /** Between two faults, on average. */
  everyMs: number;
  random: () => number;
}): Promise<Chaos> {
  const { random } = options;
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  const relays = Array.from({ length: options.relays }, () => options.startRelay());
  const stopping = new AbortController();
  const chaos = { cuts: 0, kills: 0 };

  const cut = async (): Promise<void> => {
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND usename IN ('api', 'worker', 'relay')
         ORDER BY random() LIMIT $1) AS chosen`,
      [1 + Math.floor(random() * 4)],
    );
    chaos.cuts += rowCount ?? 0;
  };
  const kill = async (): Promise<void> => {
    const which = Math.floor(random() * relays.length);
    await relays[which]!.kill();
    chaos.kills += 1;
    await delay(random() * 1_000);
    relays[which] = options.startRelay();
  };
  const running = (async () => {
    for (let turn = 1; ; turn++) {
      await delay(options.everyMs * 2 * random(), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return;
      await (turn % killEvery === 0 ? kill() : cut());
    }
  })();
  return {
    get cuts() {
      return chaos.cuts;
    },
    get kills() {
      return chaos.kills;
    },
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await running;
      await client.end();
    },
  };
}
