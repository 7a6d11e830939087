import { Pool } from 'undici';
import { createRateLimits } from '../../../src/access/rate-limits.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { startApi } from '../../support/api.ts';
import { openRelay } from '../../support/relay.ts';
import { Dice } from '../dice.ts';
import { createCheck } from './check.ts';
import { Findings } from './findings.ts';
import { type Ground, Lane } from './lane.ts';
import { type Document, operationsOf } from './schema.ts';
import { makeParty } from './tenants.ts';
import { sendRubbish } from './wire.ts';

export interface FuzzOptions {
  seed: number;
  requests: number;
  /** How many connections ask at once. */
  lanes: number;
  /** All lanes ask for the same two projects: what they find depends on their timing, too. */
  together?: boolean;
  /** Called after each ten thousand requests. */
  progress?: (findings: Findings) => void;
}

/** The number of requests after which the projects of a lane are replaced by new ones. */
const requestsPerParty = 4_000;
/** The number of requests of a lane after which events are numbered, so that lists have some. */
const requestsPerRelay = 150;
const progressEvery = 10_000;

/** Fuzzes the API in this process. */
export async function fuzzApi(options: FuzzOptions): Promise<Findings> {
  const api = await startApi({
    settings: { trustProxy: true },
    // Minutes of 60 ms: the limits of keys and of failed logins are not what is tested.
    deps: () => ({ rateLimits: createRateLimits(null, () => Date.now() * 1_000) }),
  });
  const owner = await openDatabase(api.database.ownerUrl, { poolSize: 2 });
  const relay = await openRelay(api);
  const findings = new Findings();
  const pool = new Pool(api.url, { connections: options.lanes + 1, pipelining: 1 });
  try {
    const document: Document = (await api.call('GET', '/v1/openapi.json')).json;
    const operations = operationsOf(document);
    const ground: Ground = { pool, document, operations, check: createCheck(document), findings };
    // Two relays at once would leave each other's events.
    let before: Promise<unknown> = Promise.resolve();
    const alone = <T>(work: () => Promise<T>): Promise<T> => {
      const now = before.then(work);
      before = now.catch(() => undefined);
      return now;
    };
    const pair = (dice: Dice) =>
      alone(
        async () =>
          [
            await makeParty(api, owner, pool, dice),
            await makeParty(api, owner, pool, dice),
          ] as const,
      );
    let reported = 0;
    const shared = options.together ? await pair(new Dice(options.seed)) : null;
    const share = Math.ceil(options.requests / options.lanes);
    const runLane = async (index: number): Promise<void> => {
      const dice = new Dice(options.seed * 1_000 + index);
      let lane: Lane | null = null;
      const begun = findings.requests;
      for (let sent = 0; sent < share && findings.requests < options.requests; sent++) {
        if (!lane || (sent % requestsPerParty === 0 && !shared)) {
          lane = new Lane(ground, dice, shared ?? (await pair(dice)));
        }
        await lane.step();
        if (sent % 50 === 49) await sendRubbish(api.url, dice, findings);
        if (sent % requestsPerRelay === requestsPerRelay - 1) await alone(() => relay.run());
        if (Math.floor(findings.requests / progressEvery) > reported) {
          reported = Math.floor(findings.requests / progressEvery);
          options.progress?.(findings);
        }
      }
      if (findings.requests === begun) throw new Error('A lane has sent nothing.');
    };
    await Promise.all(Array.from({ length: options.lanes }, (_, index) => runLane(index)));
    return findings;
  } finally {
    await pool.close();
    await relay.close();
    await owner.destroy();
    await api.close();
  }
}
