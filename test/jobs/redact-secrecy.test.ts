import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLogger } from '../../src/logger.ts';
import type { Redis } from '../../src/queues/connection.ts';
import { everyText } from '../support/database-text.ts';
import { eventually } from '../support/eventually.ts';
import { openRedactions, type Redactions } from '../support/redactions.ts';
import { bornDigitalPdf } from '../support/samples.ts';

const canaries = [
  'Canaryquill',
  'canarymail@example.org',
  'Canaryfail',
  'Canaryleak',
  'Canarypattern',
  'Canaryallowed',
];
/** Options that are personal data themselves. */
const telling = {
  custom_patterns: [{ name: 'CASE', pattern: 'Canarypattern\\d', case_sensitive: true }],
  allow_list: ['Canaryallowed'],
};

/**
 * Values that were found are only in the source and, sealed, with their pages: not in a table, an
 * event, an answer kept for its idempotency key, a log, Redis or a leftover file.
 */
describe('values found by a redaction', () => {
  let on: Redactions;
  const log: string[] = [];
  before(async () => {
    on = await openRedactions(createLogger('trace', 'test', { write: (line) => log.push(line) }));
    const letter = async (...pages: string[]): Promise<string> =>
      on.upload(await bornDigitalPdf(pages.map((page) => [page])), `${pages.length}.pdf`);
    const whole = await letter('Dear Mr Canaryquill', 'of canarymail@example.org', 'Canaryquill');
    const headers = { 'Idempotency-Key': 'once-and-for-all' };
    const started = await on.api.call('POST', '/v1/documents/redact', {
      body: { source_object_id: whole, ...telling },
      headers,
    });
    await on.untilFinished(started.json.id);
    // Retried from sealed results, cancelled, and failed by a page, by a file and by a leak.
    on.redactor.faults.unsearchablePages = [2];
    const part = await on.redact(await letter('Mr Canaryquill', 'Mr Canaryfail', 'x', 'y'));
    on.redactor.reset();
    const retry = await on.api.call('POST', `/v1/documents/jobs/${part.id}/retry`, { body: {} });
    expect((await on.untilFinished(retry.json.id)).state).to.equal('succeeded');
    on.redactor.faults.leakingPages = [1];
    await on.redact(await letter('Mr Canaryleak', 'Mr Canaryquill'));
    on.redactor.reset();
    on.redactor.faults.failsFileCheck = true;
    await on.redact(await letter('Mr Canaryleak', 'Mr Canaryfail', 'a', 'b', 'c'));
    await on.redact(await on.upload('Dear Mr Canaryquill', 'mail.txt'));
    on.redactor.reset();
    await on.redact(await on.upload('Dear Mr Canaryfail', 'other.txt'));
    on.redactor.faults.waitsForAbort = true;
    const held = await on.api.call('POST', '/v1/documents/redact', {
      body: { source_object_id: await letter('Mr Canaryquill', 'a', 'b', 'c', 'd', 'e') },
    });
    await eventually(async () => on.redactor.calls.redactPages > 0);
    await on.api.call('POST', `/v1/documents/jobs/${held.json.id}/cancel`);
    expect((await on.untilFinished(held.json.id)).state).to.equal('cancelled');
  });
  after(() => on.close());

  const expectNone = (text: string, where: string): void => {
    for (const canary of canaries)
      expect(text.includes(canary), `${canary} in ${where}`).to.equal(false);
  };

  it('are in no table, as text or as bytes', async () => {
    let rows = 0;
    for await (const { text, where } of everyText(on.api.rows)) {
      rows += 1;
      expectNone(text, where);
    }
    expect(rows).to.be.greaterThan(50);
  });

  it('are sealed with their pages, and can be read from there', async () => {
    const [row] = await on.api.rows<{ job_id: string; page: number }>(
      `SELECT job_id, page FROM job_page JOIN job_operation o USING (project_id, job_id)
       WHERE o.op = 'redact_pii' AND o.index = operation_index AND sealed AND words IS NOT NULL
       ORDER BY job_id, page LIMIT 1`,
    );
    const pages = await on.pages(row!.job_id);
    expect(JSON.stringify(pages)).to.include('Canaryquill');
    const reader = await on.api.issue(['documents:read']);
    expectNone(JSON.stringify(await on.pages(row!.job_id, reader)), 'pages without pii:read');
  });

  it('are shown in options only to callers that may read personal data', async () => {
    on.redactor.reset();
    const source = await on.upload(await bornDigitalPdf([['Nobody is named']]), 'options.pdf');
    const reader = await on.api.issue(['documents:read', 'objects:read', 'documents:write']);
    const body = { source_object_id: source, ...telling };
    const operations = [{ op: 'redact_pii', options: telling }];
    const shown = { ...telling, style: 'blackbox' };
    const optionsOf = (job: { operations: { op: string; options: Record<string, unknown> }[] }) =>
      job.operations.find(({ op }) => op === 'redact_pii')!.options;
    const expectHidden = (answer: { status: number; text: string }, where: string): void => {
      expect(answer.status, where).to.be.within(200, 299);
      expectNone(answer.text, where);
    };

    const own = await on.api.call('POST', '/v1/documents/redact', { body });
    expect(optionsOf(own.json)).to.include.keys(Object.keys(shown));
    expect(optionsOf(own.json).allow_list).to.deep.equal(telling.allow_list);
    await on.untilFinished(own.json.id);
    const path = `/v1/documents/jobs/${own.json.id}`;
    expect(optionsOf((await on.api.call('GET', path)).json)).to.deep.include(telling);

    const { key } = reader;
    const headers = { 'Idempotency-Key': 'telling-options' };
    const made = await on.api.call('POST', '/v1/documents/redact', { key, body, headers });
    expectHidden(made, 'the answer to who asked');
    expectHidden(
      await on.api.call('POST', '/v1/documents/redact', { key, body, headers }),
      'replay',
    );
    await on.untilFinished(made.json.id);
    const hidden = optionsOf((await on.api.call('GET', path, { key })).json);
    expect(hidden).to.deep.include({
      custom_patterns: [{ name: 'CASE', pattern: null, case_sensitive: true }],
      allow_list: null,
      allow_list_count: 1,
    });
    expect(hidden).to.not.have.property('sealed_options');
    const batch = { source_object_ids: [source], operations };
    const posts: [string, object][] = [
      ['/v1/documents/jobs', { source_object_id: source, operations }],
      ['/v1/documents/jobs/batch', batch],
      [`${path}/retry`, { scope: 'all' }],
      [`${path}/cancel`, {}],
    ];
    for (const [to, sent] of posts) {
      const answer = await on.api.call('POST', to, {
        key,
        ...(to.endsWith('/cancel') ? {} : { body: sent }),
      });
      if (answer.status !== 409) expectHidden(answer, to);
    }
    const gets = ['/v1/documents/jobs', `/v1/objects/${source}/jobs`];
    for (const from of gets) expectHidden(await on.api.call('GET', from, { key }), from);
    const started = await on.api.rows<{ id: string }>('SELECT id FROM job');
    for (const { id } of started) await on.untilFinished(id);
    // A retry by a caller that may not read the options still has them.
    const retried = await on.api.rows<{ job_id: string }>(
      `SELECT id AS job_id FROM job WHERE retry_of = $1`,
      [own.json.id],
    );
    const whole = await on.api.call('GET', `/v1/documents/jobs/${retried[0]!.job_id}`);
    expect(optionsOf(whole.json)).to.deep.include(telling);
  });

  it('are shown in page text only to callers that may read personal data', async () => {
    const [row] = await on.api.rows<{ job_id: string }>(
      `SELECT job_id FROM job_page JOIN job_operation o USING (project_id, job_id)
       WHERE o.op = 'ocr' AND o.index = operation_index AND words IS NOT NULL LIMIT 1`,
    );
    const path = `/v1/documents/jobs/${row!.job_id}/pages?op=ocr&include=words`;
    const all = await on.api.call('GET', path);
    expect(all.text).to.include('Canaryquill');
    const word = all.json.data[0].words[0];
    expect(word).to.have.keys('text', 'confidence', 'box');
    expect(word.box).to.have.length(4);
    const reader = await on.api.issue(['documents:read']);
    const some = await on.api.call('GET', path, { key: reader.key });
    expect(some.status).to.equal(200);
    expect(some.json.data[0].words).to.equal(null);
    expectNone(some.text, 'words without pii:read');
  });

  it('are not indexed for search', async () => {
    for (const canary of canaries) {
      const answer = await on.api.call('GET', `/v1/objects?${new URLSearchParams({ q: canary })}`);
      expect(answer.json.data).to.deep.equal([]);
    }
  });

  it('are in no event and no job', async () => {
    const events = await on.api.call('GET', '/v1/events?limit=1000');
    expect(events.json.data.length).to.be.greaterThan(30);
    expectNone(events.text, 'events');
    const { key } = await on.api.issue(['documents:read']);
    const jobs = await on.api.call('GET', '/v1/documents/jobs?limit=200', { key });
    expect(jobs.json.data.length).to.be.greaterThan(6);
    expectNone(jobs.text, 'jobs');
  });

  it('are in no log line', () => {
    expect(log.length).to.be.greaterThan(5);
    expectNone(log.join(''), 'the logs');
  });

  it('are nowhere in Redis', async () => {
    const { redis } = on.workers.deps;
    const keys = await redis.keys('*');
    expect(keys.length).to.be.greaterThan(3);
    for (const key of keys) expectNone(`${key} ${await contentOf(redis, key)}`, key);
  });

  it('are in no leftover file', async () => {
    expect(await readdir(join(on.api.storageRoot, '.tmp'))).to.deep.equal([]);
    const sources = await on.api.rows<{ sha256: string }>(
      `SELECT sha256 FROM object WHERE source_kind = 'upload'`,
    );
    let outputs = 0;
    for (const name of await readdir(on.api.storageRoot, { recursive: true })) {
      const isFile = /[0-9a-f]{64}$/.exec(name);
      if (!isFile || sources.some(({ sha256 }) => name.endsWith(sha256))) continue;
      outputs += 1;
      expectNone(await readFile(join(on.api.storageRoot, name), 'latin1'), name);
    }
    expect(outputs).to.be.greaterThan(2);
  });
});

async function contentOf(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    case 'none':
      // The key has expired since the keys were listed.
      return '';
    default:
      throw new Error(`No reader for the Redis type ${type}.`);
  }
}
