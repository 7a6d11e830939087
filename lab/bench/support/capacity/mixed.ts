import { load } from '../api/load.ts';
import { ourRequests } from '../api/requests.ts';
import { createTenants } from '../api/tenants.ts';
import { type BareCosts, type Costs, processKinds } from './costs.ts';
import { type Amounts, costOf } from './model.ts';
import { figure } from './rows.ts';
import { pidsOf, type Stage, untilNone } from './stage.ts';
import { alwaysWatched, runJobs, unnumbered, unsent, uploadDocuments } from './turns.ts';
import { coresLeft, sayEnd, type Used, watch } from './watch.ts';

/** Runs everything at once, until all events are delivered and all jobs have ended. */
export interface Mixed {
  amounts: Amounts;
  used: Used;
}

/**
 * Reads and writes over HTTP, a webhook for each write, and jobs of scans and of documents with text, by
 * two API processes and one of each other kind.
 */
export async function mixedTurn(
  stage: Stage,
  { seconds, texts }: { seconds: number; texts: number },
): Promise<Mixed> {
  const { ground, outbox, receiver, apis } = stage;
  const tenants = await createTenants(ground, 4, 4);
  for (const [at, { projectId }] of tenants.entries()) {
    await outbox.addEndpoint(projectId, {
      url: `${receiver.origins[at]}/mixed`,
      max_in_flight: 50,
    });
  }
  const { change, read } = await ourRequests(tenants).objects(ground);
  const workers = {
    relay: await stage.startWorkers(1, 'relay'),
    webhooks: await stage.startWorkers(1, 'webhooks'),
    ocr: await stage.startWorkers(1, 'ocr'),
    normalize: await stage.startWorkers(1, 'normalize'),
  };
  try {
    await untilNone(ground, unnumbered);
    await runJobs(stage, 'normalize', await uploadDocuments(stage, 'normalize', 2, 1));
    await runJobs(stage, 'ocr', await uploadDocuments(stage, 'ocr', 2, 1));
    const scans = await uploadDocuments(stage, 'ocr', 2, 4);
    const documents = await uploadDocuments(stage, 'normalize', texts, 20);
    const send = (at: number, request: () => string) =>
      load({ port: apis[at % apis.length]!.port, connections: 8, seconds, status: 200, request });
    await Promise.all([send(0, change), send(1, read)]);
    await untilNone(ground, unnumbered);
    await untilNone(ground, unsent);
    const pids = Object.entries(workers).map(([kind, programs]) => [kind, pidsOf(programs)]);
    const end = await watch(ground, { ...alwaysWatched(stage), ...Object.fromEntries(pids) });
    const [reads, writes] = await Promise.all([
      send(0, read),
      send(1, change),
      runJobs(stage, 'ocr', scans),
      runJobs(stage, 'normalize', documents),
    ]);
    await untilNone(ground, unnumbered);
    await untilNone(ground, unsent);
    const used = await end();
    const [written, answered] = [writes.latencies.length, reads.latencies.length];
    return {
      used,
      amounts: {
        ...{ read: answered, write: written, number: written, fan_out: written, deliver: written },
        ...{ ocr: 8, normalize: texts * 20 },
      },
    };
  } finally {
    await Promise.all(Object.values(workers).flatMap((all) => all.map((one) => one.stop())));
  }
}

/** The prediction for a mixed load, and its measurement. */
export function mixedOf(costs: BareCosts, { amounts, used }: Mixed): Costs['mixed'] {
  const { cpu, clientMs, walBytes } = costOf(costs, amounts);
  const figures: Costs['mixed']['figures'] = [];
  const add = (what: string, predicted: number, measured: number, unit: string): void => {
    figures.push({ what, predicted: figure(predicted), measured: figure(measured), unit });
  };
  const seconds = (ms: number): number => ms / 1_000;
  for (const kind of processKinds) {
    // Processes that did not run are not watched.
    const measured = used.cpu[kind];
    if (measured !== undefined) add(kind, seconds(cpu[kind]), seconds(measured), 's of CPU');
  }
  const all = processKinds.reduce((sum, kind) => sum + cpu[kind], clientMs);
  const measured = Object.values(used.cpu).reduce((sum, ms) => sum + ms, 0);
  add('clients', seconds(clientMs), seconds(used.cpu.client ?? 0), 's of CPU');
  add('all of them', seconds(all), seconds(measured), 's of CPU');
  add('until all is done', seconds(all) / coresLeft(used), used.seconds, 's');
  add('WAL', walBytes / 1e6, used.walBytes / 1e6, 'MB');
  const done = Object.entries(amounts).map(([work, n]) => `${work} ${n}`);
  return { load: done.join(', '), ended: sayEnd(used), figures };
}
