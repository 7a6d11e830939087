import type { RecordedExchange } from '../../src/api/openapi/examples.ts';
import { openDatabase } from '../../src/db/database.ts';
import { openWire } from '../support/wire.ts';
import { playAll } from './index.ts';

export interface Played {
  exchanges: RecordedExchange[];
  /** The packets to Postgres of each operation that succeeded: the most that it ever sent. */
  packets: ReadonlyMap<string, readonly string[]>;
}

let played: Promise<Played> | undefined;

/** Plays all scenes, once for all suites of a run. */
export function playOnce(): Promise<Played> {
  played ??= play();
  return played;
}

async function play(): Promise<Played> {
  const most = new Map<string, readonly string[]>();
  const exchanges = await playAll(async (apiUrl) => {
    const wire = await openWire(apiUrl);
    return {
      database: await openDatabase(wire.url, { poolSize: 8 }),
      told(operationId, status) {
        const packets = wire.packets();
        const before = most.get(operationId) ?? [];
        if (status !== null && status < 300 && packets.length > before.length)
          most.set(operationId, packets);
      },
      close: () => wire.close(),
    };
  });
  return { exchanges, packets: most };
}
