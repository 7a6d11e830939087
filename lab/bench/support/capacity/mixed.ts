import { runLoad } from '../api/load.ts';
import { createRequests } from '../api/requests.ts';
import { createTenants } from '../api/tenants.ts';
import { type Costs, processKinds, type UnitCosts } from './costs.ts';
import { type Amounts, costOf } from './model.ts';
import { roundFigure } from './rows.ts';
import { pidsOf, type TestBed, untilEmpty } from './test-bed.ts';
import {
  commonProcesses,
  runJobs,
  unnumberedEvents,
  unsentDeliveries,
  uploadDocuments,
} from './turns.ts';
import { availableCores, describeLimits, type TurnUsage, watch } from './watch.ts';

/** Runs everything at once, until all events are delivered and all jobs have ended. */
export interface MixedLoad {
  amounts: Amounts;
  used: TurnUsage;
}

/**
 * Reads and writes over HTTP, a webhook for each write, and jobs of scans and of documents with text, by
 * two API processes and one of each other kind.
 */
export async function mixedTurn(
  testBed: TestBed,
  { seconds, texts }: { seconds: number; texts: number },
): Promise<MixedLoad> {
  const { bench, outbox, receiver, apis } = testBed;
  const tenants = await createTenants(bench, 4, 4);
  for (const [at, { projectId }] of tenants.entries()) {
    await outbox.addEndpoint(projectId, {
      url: `${receiver.origins[at]}/mixed`,
      max_in_flight: 50,
    });
  }
  const { change, read } = await createRequests(tenants).objects(bench);
  const workers = {
    relay: await testBed.startWorkers(1, 'relay'),
    webhooks: await testBed.startWorkers(1, 'webhooks'),
    ocr: await testBed.startWorkers(1, 'ocr'),
    normalize: await testBed.startWorkers(1, 'normalize'),
  };
  try {
    await untilEmpty(bench, unnumberedEvents);
    await runJobs(testBed, 'normalize', await uploadDocuments(testBed, 'normalize', 2, 1));
    await runJobs(testBed, 'ocr', await uploadDocuments(testBed, 'ocr', 2, 1));
    const scans = await uploadDocuments(testBed, 'ocr', 2, 4);
    const documents = await uploadDocuments(testBed, 'normalize', texts, 20);
    const send = (at: number, request: () => string) =>
      runLoad({
        port: apis[at % apis.length]!.port,
        connections: 8,
        seconds,
        status: 200,
        request,
      });
    await Promise.all([send(0, change), send(1, read)]);
    await untilEmpty(bench, unnumberedEvents);
    await untilEmpty(bench, unsentDeliveries);
    const pids = Object.entries(workers).map(([kind, programs]) => [kind, pidsOf(programs)]);
    const stopWatching = await watch(bench, {
      ...commonProcesses(testBed),
      ...Object.fromEntries(pids),
    });
    const [reads, writes] = await Promise.all([
      send(0, read),
      send(1, change),
      runJobs(testBed, 'ocr', scans),
      runJobs(testBed, 'normalize', documents),
    ]);
    await untilEmpty(bench, unnumberedEvents);
    await untilEmpty(bench, unsentDeliveries);
    const used = await stopWatching();
    const [writeCount, readCount] = [writes.latencies.length, reads.latencies.length];
    return {
      used,
      amounts: {
        read: readCount,
        write: writeCount,
        number: writeCount,
        fan_out: writeCount,
        deliver: writeCount,
        ocr: 8,
        normalize: texts * 20,
      },
    };
  } finally {
    await Promise.all(Object.values(workers).flatMap((all) => all.map((one) => one.stop())));
  }
}

/** The prediction for a mixed load, and its measurement. */
export function compareMixed(costs: UnitCosts, { amounts, used }: MixedLoad): Costs['mixed'] {
  const { cpu, clientMs, walBytes } = costOf(costs, amounts);
  const figures: Costs['mixed']['figures'] = [];
  const add = (what: string, predicted: number, measured: number, unit: string): void => {
    figures.push({
      what,
      predicted: roundFigure(predicted),
      measured: roundFigure(measured),
      unit,
    });
  };
  const seconds = (ms: number): number => ms / 1_000;
  for (const kind of processKinds) {
    // Processes that did not run are not watched.
    const measured = used.cpu[kind];
    if (measured !== undefined) add(kind, seconds(cpu[kind]), seconds(measured), 's of CPU');
  }
  const expectedMs = processKinds.reduce((sum, kind) => sum + cpu[kind], clientMs);
  const measuredMs = Object.values(used.cpu).reduce((sum, ms) => sum + ms, 0);
  add('clients', seconds(clientMs), seconds(used.cpu.client ?? 0), 's of CPU');
  add('all of them', seconds(expectedMs), seconds(measuredMs), 's of CPU');
  add('until all is done', seconds(expectedMs) / availableCores(used), used.seconds, 's');
  add('WAL', walBytes / 1e6, used.walBytes / 1e6, 'MB');
  const amountTexts = Object.entries(amounts).map(([work, n]) => `${work} ${n}`);
  return { load: amountTexts.join(', '), ended: describeLimits(used), figures };
}
