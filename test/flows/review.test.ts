import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually, pollFrequently } from '../support/eventually.ts';
import { bornDigitalPdf, textOf } from '../support/samples.ts';
import { openService, type Program, type TestService } from '../support/service.ts';

/**
 * A review by the real processes, which are killed while they detect, while they remove and while the
 * review is open; Redis is flushed at each point. It is decided once, and nothing is lost.
 */
describe('a review', () => {
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
  const path = '/v1/documents/reviews';
  const queues = 'relay,ocr,redact,maintenance';

  /**
   * Kills a worker in the middle of an assembly of the redaction, or after it if it was over before it
   * was seen; flushes Redis, and starts another.
   */
  const interrupt = async (worker: Program, over: string): Promise<Program> => {
    await pollFrequently(async () => {
      const found = await rows(
        `SELECT FROM task WHERE kind = 'operation.assemble' AND payload->>'op' = 'redact_pii'
           AND state = 'running' UNION ALL ${over}`,
      );
      return found.length > 0;
    });
    await worker.kill();
    await redis.flushall();
    return service.startWorker(queues);
  };

  it('survives kill -9 and a flushed Redis, and is decided once', async () => {
    await service.startServer();
    let worker = service.startWorker(queues);
    const pdf = await bornDigitalPdf([
      ['Dear Mara Kleinhoevel,', 'write to mara@example.org.'],
      ['Otto is at otto@example.org.'],
    ]);
    const object = await service.upload(pdf, 'letter.pdf');
    const started = await service.call('POST', '/v1/documents/redact', {
      source_object_id: object.id,
      review: 'required',
    });
    const { id: jobId } = (await started.json()) as { id: string };
    worker = await interrupt(worker, 'SELECT FROM review');
    const review = await eventually(async () => {
      const answer = await service.call('GET', `${path}?job_id=${jobId}&state=open`);
      const { data } = (await answer.json()) as { data: ReviewRecord[] };
      return data[0];
    });
    expect(await rows('SELECT FROM review')).to.have.length(1);
    await worker.kill();
    await redis.flushall();

    const kept = await service.call('PATCH', `${path}/${review.id}/findings`, {
      filter: { type: ['EMAIL_ADDRESS'], page: 2 },
      decision: 'reject',
    });
    const { review: decided } = (await kept.json()) as { review: ReviewRecord };
    const submit = () =>
      service.call(
        'POST',
        `${path}/${review.id}/submit`,
        { pending: 'accept' },
        { 'if-match': `"${decided.version}"` },
      );
    const answers = await Promise.all([submit(), submit(), submit(), submit()]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412]);
    worker = await interrupt(
      service.startWorker(queues),
      'SELECT FROM job WHERE finished_at IS NOT NULL',
    );

    const job = await service.untilFinished(jobId);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(job.outputs).to.have.length(1);
    expect(await rows('SELECT FROM object WHERE source_job_id = $1', [jobId])).to.have.length(1);
    const content = await service.call('GET', `/v1/objects/${job.outputs[0]!.object_id}/content`);
    const text = (await textOf(Buffer.from(await content.arrayBuffer()))).join('\n');
    expect(text)
      .to.include('otto@example.org')
      .and.not.match(/kleinhoevel|mara@/i);
    const events = await rows<{ type: string }>(
      `SELECT type FROM event WHERE resource_id = $1 AND type LIKE 'documents.review.%'
         AND type NOT LIKE '%decided'`,
      [review.id],
    );
    const told = events.map(({ type }) => type.replace('documents.review.', '')).sort();
    expect(told).to.deep.equal(['claimed', 'requested', 'submitted']);
    await worker.stop();
  });
});
