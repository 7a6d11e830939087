import type { PassageRecord } from '@scriptorium/contracts/wire/library/passages';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inProject, query } from '../../../src/db/transaction.ts';
import { embedPassages } from '../../../src/library/embeddings/embed.ts';
import { createEmbedder, type Embedder } from '../../../src/library/embeddings/embedder.ts';
import { announceModel } from '../../../src/library/embeddings/state.ts';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { addDocument } from '../../support/document-text.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/embedding-server.ts';
import { addPolicy } from '../../support/policies.ts';
import { takeTask } from '../../support/tasks.ts';

describe('the hybrid search for passages', () => {
  let endpoint: EmbeddingServer;
  let api: TestApi;
  let worker: Database;
  let embedder: Embedder;
  let now = 0;
  const clock = () => now;
  before(async () => {
    endpoint = await startEmbeddingServer();
    embedder = createEmbedder(endpoint.settings, new Registry(), clock);
    api = await startApi({ deps: () => ({ embedder }) });
    worker = await openDatabase(api.database.workerUrl, { poolSize: 4 });
    await announceModel(worker, embedder.model);
  });
  after(async () => {
    await worker.destroy();
    await api.close();
    await endpoint.close();
  });
  beforeEach(async () => {
    // Ends a pause after a failure in another test.
    now += 24 * 3_600_000;
    endpoint.fault = null;
    endpoint.texts.length = 0;
    endpoint.synonyms = new Map([
      ['feline', 'cat'],
      ['cats', 'cat'],
    ]);
    await api.deps.embeddingCounts.flush();
    for (const table of ['policy', 'task', 'object', 'project_embedding', 'usage_day']) {
      await api.rows(`DELETE FROM ${table}`);
    }
  });

  /** Runs the waiting tasks, as their worker does, except those of a retry. */
  const work = async (with_: Embedder | null = embedder): Promise<void> => {
    const due = await api.rows<{ id: string }>(
      `SELECT id FROM task WHERE kind = 'passages.embed' AND due_at <= now() ORDER BY id`,
    );
    for (const { id } of due) {
      await embedPassages({ embedder: with_ }, await takeTask<'passages.embed'>(worker, id));
    }
  };
  const search = async (q: string, more: object = {}, tenant: Tenant = api) => {
    const { status, text, json } = await api.call('POST', '/v1/search/passages', {
      ...tenant,
      body: { query: q, ...more },
    });
    expect(status, text).to.equal(200);
    return json as { data: PassageRecord[]; mode: string; warnings: string[] };
  };
  const names = async (q: string, more: object = {}): Promise<string[]> =>
    (await search(q, more)).data.map(({ filename }) => filename);
  const progress = async () => (await api.call('GET', '/v1/search/embeddings')).json;
  const setTexts = (embeddings: string) =>
    api.call('PATCH', '/v1/projects/self', { body: { embeddings } });
  const vectorCount = async (): Promise<number> =>
    (await api.rows('SELECT FROM passage_embedding')).length;
  const protect = () =>
    addPolicy(api, {
      actions: ['read'],
      scope: { type: 'tag', tags: ['secret'] },
      rules: [{ type: 'require_redaction', entities: ['person'] }],
    });
  const tag = (id: string) =>
    api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['secret'] } });

  it('finds passages by their meaning, and ranks those first that also have the words', async () => {
    await addDocument(api, 'cat.txt', 'The cat sleeps.');
    await addDocument(api, 'feline.txt', 'A feline sleeps.');
    await addDocument(api, 'rain.txt', 'Rain is falling on distant mountains.');
    await work();
    const found = await search('cats');
    expect([found.mode, found.warnings]).to.deep.equal(['hybrid', []]);
    const order = found.data.map(({ filename }) => filename);
    expect(order.slice(0, 2)).to.deep.equal(['cat.txt', 'feline.txt']);
    const [first, second] = found.data;
    expect(first!.score).to.be.greaterThan(second!.score).and.at.most(1);
    expect(await names('cats', { mode: 'lexical' })).to.deep.equal(['cat.txt']);
    expect(endpoint.headers().authorization).to.equal('Bearer secret');
  });

  it('applies filters, required phrases and excluded words to passages found by meaning', async () => {
    const id = await addDocument(api, 'a.txt', 'One feline sleeps.');
    await addDocument(api, 'b.txt', 'Another feline sleeps.');
    await work();
    expect(await names('cats', { filter: { id: [id] } })).to.deep.equal(['a.txt']);
    expect(await names('cats -another')).to.deep.equal(['a.txt']);
    expect(await names('cats "another feline"')).to.deep.equal(['b.txt']);
    expect(await names('cats', { filter: { mime: 'application/pdf' } })).to.deep.equal([]);
    expect(endpoint.texts.filter((text) => text.includes('another'))).to.deep.equal([
      'cats another feline',
    ]);
  });

  it('finds nothing of another project, and nothing for stop words', async () => {
    await addDocument(api, 'a.txt', 'The cat sleeps.');
    await work();
    expect((await search('feline', {}, api.other)).data).to.deep.equal([]);
    expect((await search('what is the')).data).to.deep.equal([]);
  });

  it('compares words only if the endpoint is slow or fails, and says so', async () => {
    await addDocument(api, 'a.txt', 'The cat sleeps.');
    await work();
    const faults: EmbeddingServer['fault'][] = [
      () => 'never',
      () => ({ status: 500 }),
      () => ({ status: 429, headers: { 'retry-after': '7' } }),
      () => ({ status: 200, body: '{"data": [' }),
      () => ({ status: 200, body: '{"data": []}' }),
      () => ({ status: 200, body: '{"data": [{"embedding": [1, 2]}]}' }),
      () => ({ status: 200, body: `"${'x'.repeat(1_000_000)}"` }),
      () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
      () => ({ status: 401 }),
    ];
    for (const fault of faults) {
      endpoint.fault = fault;
      now += 3_600_000;
      const found = await search('cat');
      expect([found.mode, found.warnings]).to.deep.equal(['lexical', ['embeddings_unavailable']]);
      expect(found.data).to.have.lengthOf(1);
    }
  });

  it('sends nothing for some time after a failure', async () => {
    await addDocument(api, 'a.txt', 'The cat sleeps.');
    await work();
    let requests = 0;
    endpoint.fault = () => {
      requests += 1;
      return { status: 429, headers: { 'retry-after': '60' } };
    };
    await search('cat');
    now += 59_000;
    await search('cat');
    expect(requests).to.equal(1);
    now += 2_000;
    await search('cat');
    expect(requests).to.equal(2);
  });

  it('is not hybrid without vectors', async () => {
    await addDocument(api, 'a.txt', 'The cat sleeps.');
    const found = await search('cat');
    expect([found.mode, found.warnings]).to.deep.equal(['lexical', []]);
    const wanted = await search('cat', { mode: 'hybrid' });
    expect([wanted.mode, wanted.warnings]).to.deep.equal([
      'lexical',
      ['embeddings_not_configured'],
    ]);
    expect(endpoint.texts).to.deep.equal([]);
    const { status } = await api.call('POST', '/v1/search/passages', {
      body: { query: 'a', mode: 'semantic' },
    });
    expect(status).to.equal(422);
  });

  describe('computes vectors', () => {
    it('of new text, and counts requests and tokens', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.', 'A feline wakes up.');
      expect(await progress()).to.deep.include({
        state: 'running',
        passages: { total: 2, embedded: 0, rejected: 0 },
      });
      await work();
      expect(await progress()).to.deep.equal({
        state: 'complete',
        model: 'words/64',
        passages: { total: 2, embedded: 2, rejected: 0 },
        failure: null,
      });
      await search('cats');
      await api.deps.embeddingCounts.flush();
      const { json } = await api.call('GET', '/v1/usage?days=1');
      expect(json.days[0].embeddings).to.deep.equal({ requests: 2, tokens: 8 });
    });

    it('again after the endpoint has failed, of all text that has none', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.');
      await addDocument(api, 'b.txt', 'A feline wakes up.');
      endpoint.fault = () => ({ status: 500 });
      await work();
      const failing = await progress();
      expect([failing.state, failing.failure.code]).to.deep.equal(['failing', 'server_error']);
      const [retry, ...others] = await api.rows<{ payload: object; seconds: number }>(
        `SELECT payload, extract(epoch FROM due_at - created_at)::integer AS seconds FROM task
         WHERE kind = 'passages.embed'`,
      );
      expect(others).to.deep.equal([]);
      expect(retry).to.deep.equal({ payload: { failures: 1 }, seconds: 30 });
      endpoint.fault = null;
      now += 60_000;
      await api.rows('UPDATE task SET due_at = now()');
      await work();
      expect(await progress()).to.deep.include({ state: 'complete', failure: null });
      expect(await vectorCount()).to.equal(2);
    });

    it('not more often than the endpoint allows', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.');
      endpoint.fault = () => ({ status: 429, headers: { 'retry-after': '900' } });
      await work();
      const [retry] = await api.rows<{ seconds: number }>(
        `SELECT extract(epoch FROM due_at - created_at)::integer AS seconds FROM task
         WHERE kind = 'passages.embed'`,
      );
      expect(retry!.seconds).to.equal(900);
      expect((await progress()).failure.code).to.equal('overloaded');
    });

    it('of all texts but those that the endpoint rejects', async () => {
      endpoint.fault = (texts) =>
        texts.some((text) => text.includes('poison')) ? { status: 413 } : null;
      await addDocument(api, 'a.txt', 'The cat sleeps.', 'poison', 'A feline wakes up.');
      await work();
      expect(await progress()).to.deep.include({
        state: 'complete',
        passages: { total: 3, embedded: 2, rejected: 1 },
      });
    });

    it('later if the endpoint rejects every text', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.');
      endpoint.fault = () => ({ status: 400 });
      await work();
      const { state, passages, failure } = await progress();
      expect([state, passages.rejected, failure.code]).to.deep.equal(['failing', 0, 'rejected']);
    });

    it('again with another model, and compares only those of one', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.');
      await work();
      const settings = { ...endpoint.settings, model: 'other' };
      const other = createEmbedder(settings, new Registry(), clock);
      await addDocument(api, 'b.txt', 'A feline sleeps.');
      await work(other);
      expect(await vectorCount()).to.equal(1);
      expect((await search('cat', { mode: 'hybrid' })).warnings).to.deep.equal([
        'embeddings_not_configured',
      ]);
    });

    it('not of a text that has changed meanwhile', async () => {
      const id = await addDocument(api, 'a.txt', 'The cat sleeps.');
      const change = `UPDATE passage SET text = 'The cat eats.' WHERE object_id = $1`;
      endpoint.fault = async () => {
        await api.rows(change, [id]);
        return null;
      };
      await work();
      expect(endpoint.texts).to.deep.equal(['The cat sleeps.', 'The cat eats.']);
      expect(await vectorCount()).to.equal(1);
    });
  });

  describe('deletes vectors', () => {
    it('with their text: a new version, a redaction of values, a purge', async () => {
      const id = await addDocument(api, 'a.txt', 'The cat sleeps.');
      const other = await addDocument(api, 'b.txt', 'A feline sleeps.');
      await work();
      await api.rows(`UPDATE passage SET text = '[…] sleeps.' WHERE object_id = $1`, [id]);
      expect(await vectorCount()).to.equal(1);
      await api.call('DELETE', `/v1/objects/${other}?purge=true`);
      expect(await vectorCount()).to.equal(0);
    });

    it('of documents that a policy begins to protect, which are not found before either', async () => {
      const id = await addDocument(api, 'a.txt', 'The cat sleeps.');
      await addDocument(api, 'b.txt', 'A feline sleeps.');
      await work();
      await tag(id);
      await protect();
      expect(await names('cats')).to.deep.equal(['b.txt']);
      await work();
      expect(await vectorCount()).to.equal(1);
    });

    it('if the project no longer embeds texts, and sends no question', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.');
      await work();
      await setTexts('none');
      endpoint.texts.length = 0;
      const found = await search('cat');
      expect([found.mode, endpoint.texts]).to.deep.equal(['lexical', []]);
      await work();
      expect(await vectorCount()).to.equal(0);
      expect((await progress()).state).to.equal('disabled');
      await setTexts('unprotected');
      await work();
      expect(await vectorCount()).to.equal(1);
    });
  });

  describe('of documents that a policy protects', () => {
    const addProtected = async (): Promise<void> => {
      const id = await addDocument(api, 'a.txt', 'The cat of Erik Solberg.');
      await inProject(api.deps.database, api.projectId, (tx) =>
        query(
          tx,
          `WITH added AS (
             INSERT INTO object_text (project_id, object_id, page, redacted, vector, last_position,
               free_of, worth, job_id, text)
             SELECT $1, $2, 1, true, v.vector, v.last_position, '{person}', 1, 'job_1', $3
             FROM page_vector($3) v RETURNING 1)
           UPDATE object_index SET redacted_free_of = '{person}'
           WHERE project_id = $1 AND object_id = $2`,
          [api.projectId, id, 'The cat of [PERSON].'],
        ),
      );
      await tag(id);
      await protect();
    };
    const cases: [string, string[]][] = [
      ['unprotected', []],
      ['redacted', ['The cat of [PERSON].']],
      ['all', ['The cat of Erik Solberg.', 'The cat of [PERSON].']],
    ];
    for (const [texts, sent] of cases) {
      it(`sends ${sent.length} texts with \`embeddings: ${texts}\``, async () => {
        await addProtected();
        await setTexts(texts);
        await work();
        expect([...endpoint.texts].sort()).to.deep.equal(sent);
        const found = (await search('feline', { mode: 'hybrid' })).data;
        expect(found.map(({ text }) => text)).to.deep.equal(
          texts === 'unprotected' ? [] : ['The cat of [PERSON].'],
        );
      });
    }

    it('also protects documents by policies about addresses and times', async () => {
      await addDocument(api, 'a.txt', 'The cat sleeps.');
      await addPolicy(api, {
        actions: ['read'],
        rules: [{ type: 'ip_allow', cidrs: ['127.0.0.0/8'] }],
      });
      await work();
      await api.rows('DELETE FROM policy');
      await addDocument(api, 'b.txt', 'The cat wakes up.');
      await addPolicy(api, {
        actions: ['read'],
        rules: [
          {
            type: 'time_window',
            days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
            from: '00:00',
            to: '23:59',
            time_zone: 'UTC',
          },
        ],
      });
      await work();
      expect(endpoint.texts).to.deep.equal([]);
    });
  });
});
