import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTerminal } from '@scriptorium/contracts/jobs';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { childrenOf } from '../../packages/sandbox/src/isolation/process-tree.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { readWithoutTools } from '../support/corpus/read-pdf.ts';
import { compact } from '../support/corpus/secrets.ts';
import { everyText } from '../support/database-text.ts';
import { pollFrequently } from '../support/eventually.ts';
import { mixedPdf } from '../support/samples.ts';
import { openService, type Program, type TestService } from '../support/service.ts';

const secrets = [
  'quillfeather@example.org',
  'inkwater@example.net',
  'blotsand@example.com',
  'waxmark@example.org',
  'nibholder@example.net',
  'deskdrawer@example.com',
];

/**
 * A redaction by the real processes, which are killed while they search and while they verify.
 * There is one result for each page and one verified output without any value, and no value is
 * stored in the database.
 */
describe('a redaction', () => {
  let service: TestService;
  let redis: Redis;
  let folder: string;
  let pdf: Buffer;
  before(async () => {
    service = await openService();
    redis = new Redis(service.redis.url);
    folder = await mkdtemp(join(tmpdir(), 'redaction-flow-'));
    pdf = await mixedPdf(
      secrets.map((secret, at) => [`Page ${at + 1} begins here`, `Write to ${secret} soon`]),
    );
  });
  after(async () => {
    redis.disconnect();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(service.owner, (tx) => query<Row>(tx, sql, values));

  const begin = async (): Promise<JobRecord> => {
    const object = await service.upload(pdf, 'letters.pdf');
    const response = await service.call('POST', '/v1/documents/redact', {
      source_object_id: object.id,
    });
    expect(response.status).to.equal(202);
    return (await response.json()) as JobRecord;
  };

  /**
   * Waits until a worker is in the middle of a step of the redaction, or the job is over: a short step
   * may pass between two looks.
   */
  const inStep = (id: string, kind: 'operation.pages' | 'operation.assemble'): Promise<boolean> =>
    pollFrequently(async () => {
      const running = await rows(
        `SELECT FROM task WHERE kind = $1 AND payload->>'op' = 'redact_pii' AND state = 'running'`,
        [kind],
      );
      return running.length > 0 || isTerminal((await service.job(id)).state);
    });

  const killEngines = (worker: Program): Promise<boolean> =>
    pollFrequently(async () => {
      const engines = childrenOf(worker.pid);
      for (const engine of engines) process.kill(engine, 'SIGKILL');
      return engines.length > 0;
    });

  const expectWhole = async (id: string): Promise<void> => {
    const job = await service.untilFinished(id);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    const result = job.operations.find(({ op }) => op === 'redact_pii')?.result;
    expect(result).to.include({ verified: true, pages_empty: 0 });
    expect(result?.entities_by_type).to.have.property('EMAIL_ADDRESS').that.is.at.least(6);

    const pages = await rows<{ page: number; state: string; sealed: boolean }>(
      `SELECT page, state, sealed FROM job_page WHERE job_id = $1 AND operation_index = 1 ORDER BY page`,
      [id],
    );
    expect(pages).to.deep.equal(
      secrets.map((_, at) => ({ page: at + 1, state: 'succeeded', sealed: true })),
    );
    const made = await rows<{ id: string }>('SELECT id FROM object WHERE source_job_id = $1', [id]);
    expect(job.outputs.map(({ object_id }) => object_id)).to.deep.equal(made.map((row) => row.id));
    expect(made).to.have.length(1);

    const content = await service.call('GET', `/v1/objects/${made[0]?.id}/content`);
    const path = join(folder, `${id}.pdf`);
    await writeFile(path, Buffer.from(await content.arrayBuffer()));
    const readings = await readWithoutTools(path);
    for (const { by, text } of readings) {
      for (const secret of secrets) expect(compact(text), by).not.to.include(compact(secret));
    }
    const seen = readings.map(({ text }) => compact(text)).join(' ');
    for (const page of [2, 4, 6]) expect(seen).to.include(`page${page}beginshere`);

    let texts = 0;
    for await (const { text, where } of everyText(rows)) {
      texts += 1;
      for (const secret of secrets) expect(text.includes(secret), where).to.equal(false);
    }
    expect(texts).to.be.greaterThan(20);
    const shown = await service.call('GET', `/v1/documents/jobs/${id}/pages?op=redact_pii`);
    expect(await shown.text()).to.include(secrets[1]);

    const ends = await rows(
      `SELECT FROM event WHERE resource_id = $1 AND type = 'documents.job.succeeded'`,
      [id],
    );
    expect(ends).to.have.length(1);
    expect(await rows('SELECT FROM task WHERE resource_id = $1', [id])).to.have.length(0);
  };

  it('survives the death of its worker and engines in mid-page and a Redis flush', async () => {
    await service.startServer();
    service.startWorker('relay,ocr');
    const first = service.startWorker('redact');
    const { id } = await begin();
    await inStep(id, 'operation.pages');
    await first.kill();
    // It was killed at work, so its lease was not released.
    await inStep(id, 'operation.pages');
    await redis.flushall();

    const second = service.startWorker('redact');
    await inStep(id, 'operation.assemble');
    await killEngines(second);
    await redis.flushall();
    await inStep(id, 'operation.assemble');
    await second.kill();
    service.startWorker('redact');
    await expectWhole(id);
  });
});
