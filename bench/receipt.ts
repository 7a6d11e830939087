import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Pool } from 'undici';
import { newId } from '../src/contracts/ids.ts';
import { newSecret, headers as signedHeaders } from '../src/webhooks/sign.ts';
import { calibrate, interleave, median, percentile, ratio } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { openOutbox, smallEvent } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';
import { atRate, createReceipts } from './support/rate.ts';

/**
 * From commit to receipt of the signed webhook, at a hundred events a second: the whole path (one
 * process commits and rings; another relays, in three loops, and sends) against the least that could
 * do it in one process: commit, signal, claim under a lease, post, mark.
 */
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 10);
const perSecond = 100;

buildPrograms();
const ground = await openBenchGround();
const receipts = createReceipts();
const receiver = createServer((request, response) => {
  const id = String(request.headers['webhook-id']);
  receipts.arrived(id);
  request.resume();
  request.on('end', () => response.writeHead(204).end());
}).listen(0, '127.0.0.1');
await new Promise((resolve) => receiver.once('listening', resolve));
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const outbox = await openOutbox(ground);
const worker = startBuilt(
  'worker',
  workerEnvironment(ground, { secretKey: outbox.secretKey, queues: 'relay,webhooks' }),
);
const project = await ground.project();
await outbox.addEndpoint(project, { url: `${origin}/hook` });

/** Commits at the rate, and waits for every receipt; milliseconds from one to the other. */
function measure(commit: () => Promise<string>, length = seconds): Promise<number[]> {
  return atRate(perSecond, length, async () => {
    const id = await commit();
    const committed = performance.now();
    return (await receipts.of(id)) - committed;
  });
}

const wholePath = async (): Promise<string> => (await outbox.record(project, smallEvent()))[0]!;

const direct = await startDirect();
const p50: Record<'whole' | 'direct', number[]> = { whole: [], direct: [] };
const arm = (name: 'whole' | 'direct', commit: () => Promise<string>) => async () => {
  const times = await measure(commit);
  p50[name].push(percentile(times, 0.5));
  return percentile(times, 0.99);
};
try {
  // Long enough for plans and code to settle.
  await measure(wholePath, Number(process.env.WARM_UP ?? 8));
  await measure(direct.commit, 1);
  await ground.analyze();
  const found = await interleave(rounds, {
    whole: arm('whole', wholePath),
    direct: arm('direct', direct.commit),
  });
  if (process.env.STAGES) await sayStages();
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  const say = (name: 'whole' | 'direct'): string =>
    `p50 ${median(p50[name]).toFixed(1)} ms, p99 ${median(found[name]).toFixed(1)} ms`;
  console.log(`commit to receipt, whole path: ${say('whole')} (medians of ${rounds} rounds)`);
  console.log(`commit to receipt, direct:     ${say('direct')}`);
  console.log(`ratio of p99: ${ratio(found.whole, found.direct)}`);
  console.log(`ratio of p50: ${ratio(p50.whole, p50.direct)}`);
} finally {
  await worker.stop();
  await direct.stop();
  await outbox.close();
  receiver.closeAllConnections();
  receiver.close();
  await ground.close();
}

/** The prototype: what is due lives in one table, and one loop in the committing process sends it. */
async function startDirect(): Promise<{ commit(): Promise<string>; stop(): Promise<void> }> {
  const database = new pg.Pool({ connectionString: ground.benchSuperuserUrl, max: 16 });
  await database.query(`
    CREATE TABLE direct (id text PRIMARY KEY, body text NOT NULL, state text NOT NULL DEFAULT 'due',
      lease_epoch integer NOT NULL DEFAULT 0, lease_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX direct_due ON direct (created_at) WHERE state = 'due';`);
  const http = new Pool(origin, { connections: 50 });
  const secret = newSecret();
  let running = false;
  let again = false;
  const sending = new Set<Promise<void>>();

  const claim = async (): Promise<{ id: string; body: string; lease_epoch: number }[]> => {
    const { rows } = await database.query({
      name: 'claim',
      text: `UPDATE direct SET state = 'sending', lease_epoch = lease_epoch + 1,
          lease_until = now() + interval '30 seconds'
        WHERE id IN (SELECT id FROM direct WHERE state = 'due' ORDER BY created_at LIMIT 200
          FOR UPDATE SKIP LOCKED) RETURNING id, body, lease_epoch`,
    });
    return rows;
  };
  const send = async (rows: Awaited<ReturnType<typeof claim>>): Promise<void> => {
    await Promise.all(
      rows.map(async ({ id, body }) => {
        const timestamp = Math.floor(Date.now() / 1_000);
        const signed = signedHeaders({ id, timestamp, body, secrets: [secret] });
        const answer = await http.request({
          path: '/hook',
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed },
          body,
        });
        await answer.body.dump();
      }),
    );
    await database.query({
      name: 'mark',
      text: `UPDATE direct SET state = 'done', lease_until = NULL
        FROM unnest($1::text[], $2::integer[]) AS d (id, epoch)
        WHERE direct.id = d.id AND direct.lease_epoch = d.epoch`,
      values: [rows.map(({ id }) => id), rows.map(({ lease_epoch }) => lease_epoch)],
    });
  };
  const signal = async (): Promise<void> => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      const rows = await claim();
      if (rows.length === 0) continue;
      const sent = send(rows).finally(() => sending.delete(sent));
      sending.add(sent);
    }
    running = false;
  };
  return {
    async commit() {
      const id = newId('event');
      const body = JSON.stringify({
        id,
        type: 'dam.object.trashed',
        data: {},
        pad: 'x'.repeat(300),
      });
      const client = await database.connect();
      try {
        await client.query('BEGIN');
        await client.query({
          name: 'insert',
          text: 'INSERT INTO direct (id, body) VALUES ($1, $2)',
          values: [id, body],
        });
        await client.query('COMMIT');
      } finally {
        client.release();
      }
      void signal();
      return id;
    },
    async stop() {
      await Promise.all(sending);
      await http.close();
      await database.end();
    },
  };
}

/** Where the time goes, by the database's own clock. */
async function sayStages(): Promise<void> {
  const [row] = await ground.ask(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.created_at - e.occurred_at) * 1000) AS fanned_out,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.at - d.created_at) * 1000) AS claimed,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.finished_at - a.at) * 1000) AS settled,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY a.duration_ms) AS posted
     FROM event e JOIN delivery d ON d.event_id = e.id JOIN attempt_record a ON a.event_id = e.id AND a.delivery_id = d.id
     WHERE e.occurred_at > (SELECT max(occurred_at) - interval '10 seconds' FROM event)`,
  );
  process.stderr.write(`  medians of stages in ms: ${JSON.stringify(row)}\n`);
}
