import { isTerminal } from '@scriptorium/contracts/jobs';
import type { PackDocumentRecord, PackRecord } from '@scriptorium/contracts/wire/packs';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { Redis } from 'ioredis';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually, pollFrequently } from '../support/eventually.ts';
import { bornDigitalPdf } from '../support/samples.ts';
import { openService, type Program, type TestService } from '../support/service.ts';

/**
 * A pack by the real processes, which are killed while its documents are processed and while its archive
 * is written; Redis is flushed at each point. It ends with every document once.
 */
describe('a pack', () => {
  let service: TestService;
  let redis: Redis;
  before(async () => {
    service = await openService();
    redis = new Redis(service.redis.url);
  });
  after(async () => {
    redis.disconnect();
    await service.close();
  });

  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(service.owner, (tx) => query<Row>(tx, sql, values));
  const path = '/v1/documents/packs';
  const read = async <T>(from: string): Promise<T> =>
    (await (await service.call('GET', from)).json()) as T;
  const startWorker = () => service.startWorker('relay,ocr,normalize,maintenance,imaging');

  /** Kills a worker as soon as `sql` finds a row or the pack has ended, flushes Redis, and starts another. */
  const interrupt = async (worker: Program, sql: string): Promise<Program> => {
    await pollFrequently(
      async () =>
        (await rows(`${sql} UNION ALL SELECT FROM pack WHERE finished_at IS NOT NULL`)).length > 0,
    );
    await worker.kill();
    await redis.flushall();
    return startWorker();
  };

  it('survives kill -9 and a flushed Redis, with every document once', async () => {
    await service.startServer();
    let worker = startWorker();
    const pages = Array.from({ length: 40 }, (_, at) => [`Tariff ${at + 1} of the harbour`]);
    const ids = [(await service.upload(await bornDigitalPdf(pages), 'tariffs.pdf')).id];
    for (let at = 1; at <= 24; at += 1) {
      const text = Buffer.from(`# Rule ${at}\n\nBerth ${at} closes at sunset.\n`);
      ids.push((await service.upload(text, `rule-${at}.md`)).id);
    }
    const answer = await service.call('POST', path, {
      name: 'Harbour',
      source: { object_ids: ids },
      options: { include: ['markdown', 'chunks', 'pages'] },
    });
    const { id } = (await answer.json()) as PackRecord;
    worker = await interrupt(
      worker,
      `SELECT FROM task WHERE kind LIKE 'operation.%' AND state = 'running'`,
    );
    worker = await interrupt(
      worker,
      `SELECT FROM task WHERE kind = 'pack.assemble' AND state = 'running'`,
    );
    const pack = await eventually(async () => {
      const one = await read<PackRecord>(`${path}/${id}`);
      return isTerminal(one.state) ? one : null;
    });
    expect([pack.state, pack.error]).to.deep.equal(['succeeded', null]);

    const { data } = await read<{ data: PackDocumentRecord[] }>(
      `${path}/${id}/documents?limit=200`,
    );
    expect(data.map(({ object_id }) => object_id).sort()).to.deep.equal(ids.toSorted());
    expect(new Set(data.map(({ state }) => state))).to.deep.equal(new Set(['succeeded']));
    const jobs = await rows<{ id: string }>('SELECT id FROM job');
    expect(jobs).to.have.length(ids.length);
    expect(await rows(`SELECT FROM object WHERE filename = 'Harbour.zip'`)).to.have.length(1);
    const ends = await rows<{ type: string }>(
      `SELECT type FROM event WHERE resource_id = $1 AND type NOT LIKE '%progressed'`,
      [id],
    );
    expect(ends.map(({ type }) => type).sort()).to.deep.equal([
      'documents.pack.created',
      'documents.pack.started',
      'documents.pack.succeeded',
    ]);

    const archive = await service.call('GET', `/v1/objects/${pack.output!.object_id}/content`);
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const manifest = JSON.parse(strFromU8(files['manifest.json']!));
    expect(manifest.totals).to.include({ documents: ids.length, left_out: 0 });
    const named = manifest.documents.flatMap(
      (one: { files: { markdown: string; pages: string[] } }) => [
        one.files.markdown,
        ...one.files.pages,
      ],
    );
    expect(named).to.have.length(ids.length + pages.length);
    for (const name of named) expect(files[name], name).to.have.property('length').above(0);
    const lines = strFromU8(files['chunks.jsonl']!).trim().split('\n');
    const cited = new Set(lines.map((line) => JSON.parse(line).object_id));
    expect([...cited].sort()).to.deep.equal(ids.toSorted());
    await worker.stop();
  });
});
