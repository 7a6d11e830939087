import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { inProject, prepared, query, type Tx } from '../../../src/db/transaction.ts';
import type { Job } from '../../../src/entities/jobs/job.ts';
import { endJob } from '../../../src/jobs/ending/end-job.ts';
import { lockJob } from '../../../src/jobs/load.ts';
import { tagsOverlap } from '../../../src/library/tag-filter.ts';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { filePart, formField, multipartForm, postForm } from '../../support/uploads.ts';

describe('object search', () => {
  let api: TestApi;
  let worker: Database;
  before(async () => {
    api = await startApi();
    worker = await openDatabase(api.database.workerUrl, { poolSize: 2 });
  });
  after(async () => {
    await worker.destroy();
    await api.close();
  });

  let uploads = 0;
  const upload = async (name: string, ...fields: Buffer[]): Promise<string> => {
    const bytes = `${name} ${++uploads}`;
    const { status, json } = await postForm(api, multipartForm(filePart(bytes, name), ...fields));
    expect(status).to.equal(201);
    return json.id;
  };
  const search = async (parameters: Record<string, string>, tenant: Tenant = api) => {
    const answer = await api.call('GET', `/v1/objects?${new URLSearchParams(parameters)}`, tenant);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const found = async (q: string, more: Record<string, string> = {}): Promise<string[]> =>
    (await search({ q, ...more })).data.map(({ id }: { id: string }) => id);

  /** A job over an object, with the texts of its pages by operation, still running. */
  const newJob = async (objectId: string, ...texts: (string | null)[][]): Promise<string> => {
    const id = newId('job');
    await inProject(worker, api.projectId, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO job (id, project_id, source_object_id, origin, state, pages_total)
         VALUES ($1, $2, $3, '{"actor": {"type": "system", "id": null}, "address": null, "requestId": null}', 'running', 1)`,
        [id, api.projectId, objectId],
      );
      for (const [index, pages] of texts.entries()) {
        await prepared(
          tx,
          `INSERT INTO job_operation (project_id, job_id, index, op, options)
           VALUES ($1, $2, $3, 'ocr', '{}')`,
          [api.projectId, id, index],
        );
        await prepared(
          tx,
          `INSERT INTO job_page (project_id, job_id, operation_index, page, state, text)
           SELECT $1, $2, $3, page, 'succeeded', text
           FROM unnest($4::text[]) WITH ORDINALITY AS t (text, page)`,
          [api.projectId, id, index, pages],
        );
      }
    });
    return id;
  };
  const end = (id: string, state: Parameters<typeof endJob>[2] = 'succeeded') =>
    inProject(worker, api.projectId, async (tx: Tx) => {
      const job: Job = (await lockJob(tx, api.projectId, id))!;
      await endJob(tx, job, state, null);
    });

  it('finds words in names, tags and metadata strings', async () => {
    const id = await upload(
      'IMG_4711-harbour.txt',
      formField('tags', 'Überseehafen'),
      formField(
        'metadata',
        '{"client":{"name":"Meridian Ltd"},"years":["1987"],"meridiancount":5}',
      ),
    );
    for (const q of [
      'harbour',
      'img 4711',
      'uberseehafen',
      'ÜBERSEEHAFEN',
      'meridian 1987',
      'harb',
    ]) {
      expect(await found(q), q).to.deep.equal([id]);
    }
    // Names and numbers in metadata are not text.
    for (const q of ['client', 'meridiancount', 'harbor', 'harbour -1987', '"ltd meridian"']) {
      expect(await found(q), q).to.deep.equal([]);
    }
    expect(await found('"meridian ltd" nothing OR harbour')).to.deep.equal([id]);
    expect((await search({ q: 'harbour' }, api.other)).data).to.deep.equal([]);
  });

  it('finds new values at once, and old values no longer', async () => {
    const id = await upload('before.txt', formField('tags', 'erstwhile'));
    const patched = await api.call('PATCH', `/v1/objects/${id}`, {
      body: { filename: 'afterwards.txt', tags: ['henceforth'], metadata: { note: 'newfound' } },
    });
    expect(patched.status).to.equal(200);
    for (const q of ['afterwards', 'henceforth', 'newfound']) {
      expect(await found(q), q).to.deep.equal([id]);
    }
    expect(await found('erstwhile')).to.deep.equal([]);
  });

  it('respects the other filters, the sort, the cursor and the total', async () => {
    const ids: string[] = [];
    for (const name of ['c', 'a', 'b', 'd']) {
      ids.push(
        await upload(`${name}-paginated.txt`, formField('tags', name === 'd' ? 'last' : 'x,y')),
      );
    }
    const [c, a, b, d] = ids;
    const first = await search({ q: 'paginated', sort: 'filename', limit: '2', include: 'total' });
    expect(first.data.map(({ id }: { id: string }) => id)).to.deep.equal([a, b]);
    expect(first.total).to.equal(4);
    const next = { q: 'paginated', sort: 'filename', limit: '2', cursor: first.next_cursor };
    expect((await search(next)).data.map(({ id }: { id: string }) => id)).to.deep.equal([c, d]);
    const other = new URLSearchParams({ ...next, q: 'other' });
    expect((await api.call('GET', `/v1/objects?${other}`)).json.code).to.equal('cursor_mismatch');
    expect(await found('paginated', { tag: 'last' })).to.deep.equal([d]);
    expect(await found('paginated', { tag: '-last', sort: 'filename' })).to.deep.equal([a, b, c]);
    expect(await found('paginated', { mime: 'image/*' })).to.deep.equal([]);
    await api.call('DELETE', `/v1/objects/${d}`);
    expect(await found('paginated', { tag: 'last' })).to.deep.equal([]);
    expect(await found('paginated', { state: 'trashed' })).to.deep.equal([d]);
  });

  it('finds nothing for a query without words, and rejects invalid ones', async () => {
    const answer = await api.call('GET', '/v1/objects?q=%22-%22');
    expect([answer.status, answer.json.data]).to.deep.equal([200, []]);
    const wrong = await api.call('GET', '/v1/objects?q=%22-%22&tag=a,');
    expect(wrong.status).to.equal(400);
    expect(wrong.json.errors.map(({ code }: { code: string }) => code)).to.deep.equal([
      'empty_tag',
    ]);
  });

  it('accepts any query without failing', async () => {
    for (const q of [
      `'`,
      `a'b`,
      `\\`,
      'a & b | !c <-> d',
      'a:*',
      '"unclosed',
      '((((',
      'OR OR',
      '- -',
      '-nothing',
      '日本語 🙂',
      'x'.repeat(500),
      'a '.repeat(250),
      '\u200f\ufdfa',
    ]) {
      const { status } = await api.call('GET', `/v1/objects?${new URLSearchParams({ q })}`);
      expect(status, q).to.be.oneOf([200, 400]);
    }
  });

  describe('in recognised text', () => {
    it('finds it once the job has succeeded, fully or partially', async () => {
      for (const state of ['succeeded', 'partially_succeeded'] as const) {
        const id = await upload(`${state}.txt`);
        const word = `word${state.replace('_', '')}`;
        const job = await newJob(id, [`the ${word} stands`, null, 'on page three']);
        expect(await found(word)).to.deep.equal([]);
        await end(job, state);
        expect(await found(word)).to.deep.equal([id]);
        // Name and text count together; phrases are found in either.
        expect(await found(`${state.split('_')[0]} "on page three"`)).to.include(id);
        expect(await found(`"three page" ${word}`)).to.deep.equal([]);
      }
      const id = await upload('never.txt');
      await end(await newJob(id, ['unattained']), 'failed');
      await end(await newJob(id, ['unattained']), 'cancelled');
      expect(await found('unattained')).to.deep.equal([]);
    });

    it('uses the last operation with text, so that redacted text hides the original', async () => {
      const id = await upload('redacted.txt');
      await end(await newJob(id, ['confidentialname pays'], ['▮▮▮ pays'], [null]));
      expect(await found('pays redacted')).to.deep.equal([id]);
      expect(await found('confidentialname')).to.deep.equal([]);
    });

    it('keeps the text of the newest job, even if an older one ends later', async () => {
      const id = await upload('twice.txt');
      const older = await newJob(id, ['formerreading']);
      const newer = await newJob(id, ['latterreading']);
      const silent = await newJob(id, [null]);
      await end(newer);
      await end(older);
      await end(silent);
      expect(await found('latterreading')).to.deep.equal([id]);
      expect(await found('formerreading')).to.deep.equal([]);
    });

    it('keeps it after changes of details, in the trash and without page results', async () => {
      const id = await upload('stays.txt');
      await end(await newJob(id, ['perseverance']));
      await api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['new'] } });
      await api.rows('UPDATE job_page SET text = NULL WHERE text IS NOT NULL');
      expect(await found('perseverance new')).to.deep.equal([id]);
      await api.call('DELETE', `/v1/objects/${id}`);
      await api.call('POST', `/v1/objects/${id}/restore`);
      expect(await found('perseverance')).to.deep.equal([id]);
      await api.rows('DELETE FROM object WHERE id = $1', [id]);
      expect(await api.rows('SELECT FROM object_index WHERE object_id = $1', [id])).to.have.length(
        0,
      );
    });

    it('indexes a job of 2,000 pages, and finds a phrase by its words', async () => {
      const id = await upload('long.txt');
      const pages = Array.from({ length: 2_000 }, (_, at) =>
        Array.from({ length: 60 }, (_, word) => `p${at}w${word}`).join(' '),
      );
      pages[1_999] += ' the very last colophon';
      await end(await newJob(id, pages));
      expect(await found('p0w0 p900w30')).to.deep.equal([id]);
      expect(await found('"p0w0 p0w1"')).to.deep.equal([id]);
      // Truncated: 120,000 different words exceed an index row.
      expect(await found('colophon')).to.deep.equal([]);
      const [row] = await api.rows<{ has_positions: boolean; bytes: number }>(
        'SELECT has_positions, length(text) AS bytes FROM object_index WHERE object_id = $1',
        [id],
      );
      expect(row!.has_positions).to.equal(false);
      expect(row!.bytes).to.be.greaterThan(50_000);
      // Details can still be changed.
      const tags = Array.from({ length: 100 }, (_, at) => `${at}-${'字'.repeat(90)}`);
      const patched = await api.call('PATCH', `/v1/objects/${id}`, { body: { tags } });
      expect(patched.status).to.equal(200);
    });

    it('indexes a text up to the maximum length', async () => {
      const id = await upload('endless.txt');
      const job = await newJob(id, [
        `beginning ${'ab '.repeat(5_500_000)} surplus`,
        'another page',
      ]);
      await end(job);
      expect(await found('beginning')).to.deep.equal([id]);
      expect(await found('surplus')).to.deep.equal([]);
      expect(await found('"another page" beginning')).to.deep.equal([id]);
    });

    it('completes a job with pathological pages: megabytes, endless words, no words', async () => {
      const strange = {
        'one page': Array.from({ length: 200_000 }, (_, at) => `m${at}`).join(' '),
        'one word': `${'ab'.repeat(500_000)} apart`,
        'many for one': `${Array.from({ length: 40_000 }, (_, at) => `㌖${at.toString(36)}`).join(' ')} apart`,
        nothing: ' \n\u0001 ',
      };
      for (const [name, text] of Object.entries(strange)) {
        const id = await upload(`${name}.txt`);
        await end(await newJob(id, [text]));
        expect(await found(`"${name}"`), name).to.deep.equal([id]);
      }
      expect(await found('m7 m31')).to.have.length(1);
    });
  });

  it('uses the indexes, as the api role under row-level security', async () => {
    await api.rows(
      `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, tags)
       SELECT 'obj_' || n, $1, 'available', 'plan ' || n || '.pdf', 'application/pdf', n, 's', 'upload',
         ARRAY['tag' || n % 1000] FROM generate_series(1, 5000) AS n`,
      [api.projectId],
    );
    await api.rows('ANALYZE object, object_index');
    const plan = async (condition: string, value: unknown): Promise<string> => {
      const rows = await inProject(api.deps.database, api.projectId, (tx) =>
        query<{ 'QUERY PLAN': string }>(
          tx,
          `EXPLAIN SELECT id FROM object JOIN object_search USING (id)
           WHERE project_id = $1 AND ${condition}
           ORDER BY created_at DESC, id DESC LIMIT 50`,
          [api.projectId, value],
        ),
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const words = `to_tsquery('library', $2)`;
    const asked = (index: string) => new RegExp(`${index}[^\\n]*\\n\\s*Index Cond:[^\\n]*(@@|&&)`);
    expect(await plan(`everything @@ ${words}`, '4711')).to.match(asked('object_index_everything'));
    expect(await plan(`details @@ ${words}`, '4711')).to.match(asked('object_index_details'));
    expect(await plan(tagsOverlap('tagged', '$2'), ['TAG1'])).to.match(
      asked('object_index_folded_tags'),
    );
    // For very common words, a scan in sort order is faster.
    expect(await plan(`everything @@ ${words}`, 'pdf')).to.include('object_newest');
    const restricted = `labels @> '[{"label": "x"}]'`;
    const either = await plan(
      `(everything @@ ${words} AND NOT (${restricted}) OR details @@ ${words} AND ${restricted})`,
      '4711',
    );
    expect(either)
      .to.match(asked('object_index_everything'))
      .and.match(asked('object_index_details'));
    const redacted = `redacted_free_of IS NOT NULL AND everything_redacted @@ ${words}`;
    const any = await plan(
      `(everything @@ ${words} AND NOT (${restricted})
        OR ${redacted} AND ${restricted} OR details @@ ${words} AND ${restricted})`,
      '4711',
    );
    expect(any)
      .to.match(asked('object_index_everything'))
      .and.match(asked('object_index_redacted'))
      .and.match(asked('object_index_details'));
  });

  it('shows nothing without a project, or with an empty one', async () => {
    await upload('walled.txt');
    for (const project of [null, '', newId('project')]) {
      const [row] = await inProject(api.deps.database, project ?? '', async (tx) => {
        if (project === null) await query(tx, 'RESET app.project_id', []);
        return query<{ n: number }>(tx, 'SELECT count(*) AS n FROM object_search', []);
      });
      expect(row!.n).to.equal(0);
    }
  });
});
