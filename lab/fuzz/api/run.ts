import { Pool } from 'undici';
import { eventually } from '../../../test/support/eventually.ts';
import { openRelay } from '../../../test/support/relay.ts';
import { Dice } from '../dice.ts';
import { createCheck } from './check.ts';
import { Findings } from './findings.ts';
import { sendGarbage } from './garbage.ts';
import { Lane, type RunContext } from './lane.ts';
import { MemoryWatch } from './memory.ts';
import { createFuzzProject, type FuzzProject } from './projects.ts';
import { type Document, operationsOf } from './schema.ts';
import { startTarget } from './target.ts';

interface FuzzOptions {
  seed: number;
  requests: number;
  /** The number of concurrent connections. */
  lanes: number;
  /** All lanes use the same two projects, so results also depend on their timing. */
  together?: boolean;
  /** Called after each ten thousand requests, and before it rejects. */
  progress?: (line: string, findings: Findings) => void;
}

export interface FuzzRun {
  findings: Findings;
  /** The operations of the document. */
  operations: string[];
  memory: MemoryWatch['windows'];
}

type ProjectPair = readonly [FuzzProject, FuzzProject];

/** The number of requests after which two projects are replaced by new ones. */
const requestsPerPair = 4_000;
/** The number of requests per lane after which events are numbered, so that lists contain some. */
const requestsPerRelay = 150;
const progressEvery = 10_000;
/** How soon the end of the server is noticed. */
const exitTimeoutMs = 5_000;

/** Fuzzes the API, which runs in a separate process. */
export async function fuzzApi(options: FuzzOptions): Promise<FuzzRun> {
  const target = await startTarget();
  const relay = await openRelay(target);
  const findings = new Findings();
  const memory = new MemoryWatch(target, () => findings.requests);
  const pool = new Pool(target.url, { connections: options.lanes + 1, pipelining: 1 });
  try {
    const document: Document = (await target.call('GET', '/v1/openapi.json')).json;
    const operations = operationsOf(document);
    const context: RunContext = {
      pool,
      document,
      operations,
      check: createCheck(document),
      findings,
    };
    // Two relays at once would skip each other's events.
    let previous: Promise<unknown> = Promise.resolve();
    const exclusively = <T>(runPairs: () => Promise<T>): Promise<T> => {
      const current = previous.then(runPairs);
      previous = current.catch(() => undefined);
      return current;
    };
    const makePair = (dice: Dice): Promise<ProjectPair> =>
      exclusively(async () => [
        await createFuzzProject(target, pool, dice),
        await createFuzzProject(target, pool, dice),
      ]);
    let reported = 0;
    const report = async (): Promise<void> => {
      if (Math.floor(findings.requests / progressEvery) <= reported) return;
      reported = Math.floor(findings.requests / progressEvery);
      const { resident, heap } = await memory.endWindow();
      const parts = [
        `${findings.requests} requests, ${(100 * findings.successShare).toFixed(0)} % 2xx`,
        `${findings.succeeded.length} of ${operations.length} operations succeeded`,
        `API: resident ${resident.toFixed(0)} MiB, heap ${heap.toFixed(0)} MiB`,
        `database ${(await target.databaseSize()).toFixed(0)} MiB`,
        `slowest ${findings.slowestMs.toFixed(0)} ms`,
        `${findings.all.length} findings`,
      ];
      options.progress?.(parts.join(' · '), findings);
    };
    /** Sends a lane's share of the requests for two projects. */
    const runLane = async (dice: Dice, pair: ProjectPair, requests: number): Promise<void> => {
      const lane = new Lane(context, dice, pair);
      for (let sent = 0; sent < requests && findings.requests < options.requests; sent++) {
        await lane.step();
        if (sent % 50 === 49) await sendGarbage(target.url, dice, findings);
        if (sent % requestsPerRelay === requestsPerRelay - 1) await exclusively(() => relay.run());
        await report();
      }
    };
    /** Works through pairs of projects, with this many lanes for each. */
    const work = async (first: number, lanes: number): Promise<void> => {
      const dice = Array.from(
        { length: lanes },
        (_, at) => new Dice(options.seed * 1_000 + first + at),
      );
      let previousPair: ProjectPair | null = null;
      while (findings.requests < options.requests) {
        const requestsBefore = findings.requests;
        const pair = await makePair(dice[0]!);
        await Promise.all(dice.map((laneDice) => runLane(laneDice, pair, requestsPerPair / lanes)));
        if (findings.requests === requestsBefore) throw new Error('A lane has sent nothing.');
        // For some seconds, the API still stores counts of the last pair.
        const retired = previousPair;
        if (retired)
          await exclusively(() => target.deleteProjects(retired.map(({ projectId }) => projectId)));
        previousPair = pair;
      }
    };
    const addServerErrors = (): void => {
      for (const line of target.incidents()) findings.addServerError(line);
    };
    memory.start();
    try {
      if (options.together) await work(0, options.lanes);
      else await Promise.all(Array.from({ length: options.lanes }, (_, at) => work(at, 1)));
    } catch (error) {
      // A server that has exited gives the reason in its log.
      await eventually(async () => target.incidents().length > 0, exitTimeoutMs).catch(
        () => undefined,
      );
      addServerErrors();
      options.progress?.(`broken off: ${String(error)}`, findings);
      throw error;
    }
    addServerErrors();
    return { findings, operations: operations.map(({ id }) => id), memory: memory.windows };
  } finally {
    await memory.stop();
    await pool.close();
    await relay.close();
    await target.close();
  }
}
