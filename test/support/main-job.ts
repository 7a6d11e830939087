import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { eventually, pollFrequently } from './eventually.ts';
import { startReceiver } from './receiver.ts';
import { scannedPdf } from './samples.ts';
import { openService, type TestService } from './service.ts';

const pages = 6;
let pdf: Promise<Buffer> | undefined;

/** The main job over the real processes, for tests that break something meanwhile. */
export interface MainJob {
  service: TestService;
  pdf: Buffer;
  /** Starts the job, with a receiver of all events. */
  begin(): Promise<JobRecord>;
  /** The job in the middle of its pages, or another one if its middle was over before it was seen. */
  midJob(job: JobRecord): Promise<JobRecord>;
  /** Requires what every fault must leave behind: a whole result, each event received, nothing left over. */
  expectComplete(id: string): Promise<void>;
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openMainJob(): Promise<MainJob> {
  pdf ??= scannedPdf(
    Array.from({ length: pages }, (_, at) => [`This is page number ${at + 1} of the fault test`]),
  );
  const scan = await pdf;
  const service = await openService();
  const receiver = await startReceiver();
  let objectId = '';
  const begin = async (): Promise<JobRecord> => {
    const response = await service.call('POST', '/v1/webhooks', {
      url: receiver.url,
      event_types: ['*'],
      secret: receiver.secret,
    });
    expect(response.status).to.equal(201);
    objectId = (await service.upload(scan, 'fault.pdf')).id;
    return startJob();
  };
  const startJob = () => service.startOcr(objectId, { output: ['searchable_pdf', 'text'] });
  const midJob = (begun: JobRecord): Promise<JobRecord> => {
    let { id } = begun;
    return pollFrequently(async () => {
      const job = await service.job(id);
      if (job.progress.pages_completed > pages - 3) ({ id } = await startJob());
      return job.progress.pages_completed >= 1 && job.id === id ? job : null;
    });
  };
  const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(service.owner, (tx) => query<Row>(tx, sql, values));

  const list = async <T>(path: string): Promise<T[]> => {
    const response = await service.call('GET', path);
    return ((await response.json()) as { data: T[] }).data;
  };
  const expectWhole = async (id: string): Promise<void> => {
    const job = await service.untilFinished(id);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    expect(job.progress).to.include({ percent: 100, pages_completed: pages, pages_failed: 0 });
    expect(job.outputs).to.have.length(2);
    const results = await list<{ page: number; text: string }>(`/v1/documents/jobs/${id}/pages`);
    expect(results.map(({ page }) => page)).to.deep.equal(
      Array.from({ length: pages }, (_, at) => at + 1),
    );
    for (const { page, text } of results) expect(text).to.include(`number ${page} of`);
    // Events are listed once a relay has numbered them.
    const events = await eventually(async () => {
      const listed = await list<EventRecord>('/v1/events?category=domain&limit=1000');
      const isEnd = ({ resource_id, type }: EventRecord): boolean =>
        resource_id === id && type === 'documents.job.succeeded';
      return listed.some(isEnd) && listed;
    });
    const jobEvents = events.filter((event) => event.resource_id === id);
    const percents = jobEvents
      .filter(({ type }) => type === 'documents.job.progressed')
      .map(({ data }) => Number(data.percent));
    expect(percents).to.deep.equal([...new Set(percents)].sort((a, b) => a - b));
    const ends = jobEvents.filter(({ type }) => type === 'documents.job.succeeded');
    expect(ends).to.have.length(1);
    await eventually(async () => {
      const receivedIds = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      const missing = events.filter((event) => !receivedIds.has(event.id));
      if (missing.length > 0) throw new Error(`${missing.length} events have not arrived.`);
      return true;
    });
    expect(receiver.requests.filter(({ verified }) => !verified)).to.have.length(0);
    await eventually(
      async () => (await list('/v1/events?category=domain&published=false')).length === 0,
    );
    const tasks = await rows('SELECT FROM task WHERE resource_id = $1', [id]);
    expect(tasks).to.have.length(0);
  };
  return {
    service,
    pdf: scan,
    begin,
    midJob,
    expectComplete: expectWhole,
    rows,
    close: async () => {
      await service.close();
      await receiver.close();
    },
  };
}
