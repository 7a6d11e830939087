import { Readable } from 'node:stream';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';
import { newId } from '../../src/contracts/ids.ts';
import { isTerminal } from '../../src/contracts/jobs.ts';
import { limits } from '../../src/contracts/limits.ts';
import type { PackDocumentRecord, PackRecord } from '../../src/contracts/wire/packs.ts';
import { readChunks } from '../../src/jobs/packs/packing/chunks.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Answer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { addPolicy } from '../support/policies.ts';
import { openRedactions, type Redactions } from '../support/redactions.ts';
import { bornDigitalPdf } from '../support/samples.ts';

describe('packs', () => {
  let on: Redactions;
  before(async () => {
    on = await openRedactions(undefined, 'real');
    on.workers.start('maintenance', 'imaging');
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));
  afterEach('what packs count is what their documents are', async () => {
    const wrong = await on.api.rows(`
      SELECT id FROM pack p JOIN LATERAL (
        SELECT count(*) AS total,
          count(*) FILTER (WHERE state IN ('pending', 'running')) AS open,
          count(*) FILTER (WHERE state = 'succeeded') AS completed,
          count(*) FILTER (WHERE state = 'failed') AS failed,
          count(*) FILTER (WHERE state = 'withheld') AS withheld,
          count(*) FILTER (WHERE reused) AS reused,
          coalesce(sum(coalesce(pages, 1)), 0) AS pages,
          coalesce(sum(coalesce(pages, 1)) FILTER (WHERE state = 'succeeded'), 0) AS done
        FROM pack_document d WHERE d.pack_id = p.id) c ON true
      WHERE (documents_total, documents_open, documents_completed, documents_failed,
          documents_withheld, documents_reused, pages_total, pages_completed)
        <> (c.total, c.open, c.completed, c.failed, c.withheld, c.reused, c.pages, c.done)`);
    expect(wrong).to.deep.equal([]);
  });

  const packs = '/v1/documents/packs';
  let number = 0;
  /** A document whose content no other test has. */
  const letter = (name: string, text = 'The harbour is open.'): Promise<string> => {
    number += 1;
    return on.upload(Buffer.from(`# Letter ${number}\n\n${text}\n`), name);
  };
  const create = async (body: object): Promise<PackRecord> => {
    const answer = await on.api.call('POST', packs, { body: { name: 'Letters', ...body } });
    expect(answer.status, answer.text).to.equal(202);
    return answer.json;
  };
  const ended = (id: string): Promise<PackRecord> =>
    eventually(async () => {
      const { json } = await on.api.call('GET', `${packs}/${id}`);
      return isTerminal(json.state) ? (json as PackRecord) : null;
    });
  const build = async (body: object): Promise<PackRecord> => ended((await create(body)).id);
  const documents = async (pack: PackRecord): Promise<PackDocumentRecord[]> =>
    (await on.api.call('GET', `${packs}/${pack.id}/documents?limit=200`)).json.data;
  /** The files of a pack's archive, as text. */
  const unpack = async (pack: PackRecord): Promise<Record<string, string>> => {
    expect(pack.output, JSON.stringify(pack.error)).not.to.equal(null);
    const { status, bytes } = await on.content(pack.output!.object_id);
    expect(status).to.equal(200);
    const files = unzipSync(bytes);
    return Object.fromEntries(Object.entries(files).map(([name, one]) => [name, strFromU8(one)]));
  };
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const refused = async (body: object): Promise<[number, string]> => {
    const { status, json } = await on.api.call('POST', packs, { body: { name: 'No', ...body } });
    return [status, json.errors?.[0]?.code ?? json.code];
  };

  it('hold the text of every document, with chunks that lead to it', async () => {
    const pdf = await on.upload(await bornDigitalPdf([['Tariffs of pier 4'], ['Fines']]), 'b.pdf');
    const ids = [await letter('c.md'), pdf, await letter('a.md'), await letter('a.md', 'Closed.')];
    const pack = await build({
      source: { object_ids: ids },
      options: { include: ['markdown', 'chunks', 'blocks', 'pages'] },
    });
    expect([pack.state, pack.error]).to.deep.equal(['succeeded', null]);
    expect(pack.progress).to.include({ percent: 100, documents_total: 4, documents_completed: 4 });
    const files = await unpack(pack);
    const manifest = JSON.parse(files['manifest.json']!);
    expect(manifest.documents.map((one: { filename: string }) => one.filename)).to.deep.equal([
      'a.md',
      'a.md',
      'b.pdf',
      'c.md',
    ]);
    const third = manifest.documents[2];
    expect(third).to.deep.include({
      object_id: pdf,
      pages: 2,
      state: 'succeeded',
      redaction: null,
    });
    expect(files[third.files.markdown]).to.include('Tariffs of pier 4');
    expect(JSON.parse(files[third.files.blocks]!).pages).to.have.length(2);
    expect(third.files.pages).to.have.length(2);
    for (const name of third.files.pages) expect(files).to.have.property(name);
    expect(files['llms.txt']).to.include(third.files.markdown);
    expect(files['README.md']).to.include('chunks.jsonl');
    expect(JSON.stringify(files)).not.to.include(pack.id).and.not.to.include('job_');
    const chunks = lines(files['chunks.jsonl']!);
    expect(manifest.totals.chunks).to.equal(chunks.length);
    expect(new Set(chunks.map(({ id }) => id)).size).to.equal(chunks.length);
    const cited = chunks.find(({ object_id }) => object_id === pdf);
    const citation = (await on.api.call('GET', `/v1/documents/citations/${cited.id}`)).json;
    expect(citation).to.deep.include({ object_id: pdf, text: cited.text, boxes: cited.boxes });
    const image = await on.api.call('GET', citation.images[0].url);
    expect([image.status, image.headers.get('content-type')]).to.deep.equal([200, 'image/webp']);
  });

  it('are the same bytes when built again, without processing anything again', async () => {
    const ids = [await letter('x.md'), await letter('y.md')];
    const first = await build({ source: { object_ids: ids } });
    const [jobs] = await on.api.rows('SELECT count(*) AS n FROM job');
    const second = await build({ source: { object_ids: ids.toReversed() } });
    expect(second.output!.sha256).to.equal(first.output!.sha256);
    expect(second.progress.documents_reused).to.equal(2);
    expect(await on.api.rows('SELECT count(*) AS n FROM job')).to.deep.equal([jobs]);
  });

  it('name documents that fail or are withheld, and hold the others', async () => {
    const broken = await on.upload(Buffer.from('%PDF-1.7\nnothing here'), 'broken.pdf');
    const program = await on.upload(Buffer.from('PK\u0005\u0006'.padEnd(22, '\0')), 'files.zip');
    const secret = await letter('secret.md');
    await on.api.call('PATCH', `/v1/objects/${secret}`, { body: { tags: ['secret'] } });
    await addPolicy(on.api, {
      scope: { type: 'tag', tags: ['secret'] },
      actions: ['process'],
      rules: [{ type: 'allowed_mime_types', include: ['image/*'] }],
    });
    const fine = await letter('fine.md');
    const pack = await build({ source: { object_ids: [broken, program, secret, fine] } });
    expect(pack.state).to.equal('partially_succeeded');
    expect(pack.progress).to.include({ documents_failed: 2, documents_withheld: 1 });
    const states = (await documents(pack)).map(({ filename, state, error }) => [
      filename,
      state,
      error?.code ?? null,
    ]);
    expect(states).to.deep.equal([
      ['broken.pdf', 'failed', states[0]![2]],
      ['files.zip', 'failed', 'unsupported_source'],
      ['fine.md', 'succeeded', null],
      ['secret.md', 'withheld', 'policy_denied'],
    ]);
    const files = await unpack(pack);
    const manifest = JSON.parse(files['manifest.json']!);
    expect(manifest.totals).to.include({ documents: 1, left_out: 3 });
    expect(manifest.documents[3].error.code).to.equal('policy_denied');
    const only = (await on.api.call('GET', `${packs}/${pack.id}/documents?state=withheld`)).json;
    expect(only.data).to.have.length(1);
    const aborted = await build({
      source: { object_ids: [broken, fine] },
      options: { on_error: 'abort' },
    });
    expect([aborted.state, aborted.error!.code, aborted.output]).to.deep.equal([
      'failed',
      'document_left_out',
      null,
    ]);
    const nothing = await build({ source: { object_ids: [broken] } });
    expect([nothing.state, nothing.error!.code]).to.deep.equal(['failed', 'no_documents']);
  });

  it('say what has changed since the pack that they refresh', async () => {
    const [kept, old, gone] = [
      await letter('kept.md'),
      await letter('new.md'),
      await letter('z.md'),
    ];
    const first = await build({ source: { object_ids: [kept, old, gone] } });
    const [changed, added] = [await letter('new.md', 'Later.'), await letter('added.md')];
    const source = { object_ids: [kept, changed, added] };
    const second = await build({ source, refreshes: first.id });
    expect(second.progress.documents_reused).to.equal(1);
    const changes = JSON.parse((await unpack(second))['changes.json']!);
    const names = (list: { filename: string }[]) => list.map(({ filename }) => filename);
    expect(names(changes.added)).to.deep.equal(['added.md']);
    expect(names(changes.removed)).to.deep.equal(['z.md']);
    expect(changes.changed[0]).to.deep.include({ filename: 'new.md', object_id: changed });
    expect(changes.changed[0].before.object_id).to.equal(old);
    expect(changes.unchanged).to.equal(1);
    const listed = async (query = '') => {
      const { json } = await on.api.call('GET', `${packs}/${second.id}/changes?${query}`);
      return json;
    };
    const told = ['added', 'changed', 'removed'].flatMap((change) =>
      changes[change].map((one: object) => ({ change, before: null, ...one })),
    );
    expect((await listed()).data).to.deep.equal(told);
    const removed = await listed('change=removed&include=total');
    expect([removed.data, removed.total]).to.deep.equal([told.slice(2), 1]);
    const some = await listed('limit=2');
    const rest = await listed(`limit=2&cursor=${some.next_cursor}`);
    expect([...some.data, ...rest.data]).to.deep.equal(told);
    expect(rest.has_more).to.equal(false);
    const none = await on.api.call('GET', `${packs}/${first.id}/changes`);
    expect([none.status, none.json.code]).to.deep.equal([409, 'state_conflict']);
    const again = await build({ source, refreshes: first.id });
    expect(again.output!.sha256).to.equal(second.output!.sha256);
  });

  it('come from collections and filters, each object once', async () => {
    const ids = [await letter('one.md'), await letter('two.md')];
    for (const id of ids) {
      await on.api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['packed'] } });
    }
    const members = ids.map((id) => ({ resource_type: 'object', resource_id: id }));
    const made = await on.api.call('POST', '/v1/collections', { body: { name: 'C', members } });
    const collected = await build({ source: { collection_id: made.json.id } });
    const filtered = await build({ source: { filter: { tag: ['packed'] } } });
    expect(filtered.output!.sha256).to.equal(collected.output!.sha256);
    expect(collected.source.collection_id).to.equal(made.json.id);
  });

  it('reject sources that are empty, ambiguous, repeated or missing', async () => {
    const id = await letter('r.md');
    const empty = await on.api.call('POST', '/v1/collections', { body: { name: 'Empty' } });
    const cases: [object, number, string][] = [
      [{ source: {} }, 422, 'one_of'],
      [{ source: { object_ids: [id], filter: {} } }, 422, 'one_of'],
      [{ source: { object_ids: [] } }, 422, 'too_few'],
      [{ source: { object_ids: [id, id] } }, 422, 'duplicate_item'],
      [{ source: { object_ids: [newId('object')] } }, 422, 'reference_not_found'],
      [{ source: { collection_id: newId('collection') } }, 422, 'reference_not_found'],
      [{ source: { collection_id: empty.json.id } }, 422, 'no_documents'],
      [{ source: { filter: { tag: ['nowhere'] } } }, 422, 'no_documents'],
      [{ source: { object_ids: [id] }, refreshes: newId('pack') }, 422, 'reference_not_found'],
      [{ source: { object_ids: [id] }, options: { review: 'required' } }, 422, 'redact_required'],
      [
        { source: { object_ids: [id] }, options: { chunk_tokens: 50, overlap_tokens: 50 } },
        422,
        'too_large',
      ],
    ];
    for (const [body, status, code] of cases) {
      expect(await refused(body), JSON.stringify(body)).to.deep.equal([status, code]);
    }
  });

  it('leave out an object that vanishes while they are built', async () => {
    const [stays, goes] = [await letter('stays.md'), await letter('goes.md')];
    const { id } = await create({ source: { object_ids: [stays, goes] } });
    await on.api.call('DELETE', `/v1/objects/${goes}?purge=true`);
    const pack = await ended(id);
    const gone = (await documents(pack)).find(({ object_id }) => object_id === goes);
    expect([pack.state, gone!.error!.code]).to.deep.equal([
      'partially_succeeded',
      'source_unavailable',
    ]);
  });

  it('are cancelled with their jobs, and retried without what succeeded', async () => {
    const ids = [await letter('k1.md'), await letter('k2.md')];
    const { id } = await create({ source: { object_ids: ids } });
    const cancelled = await on.api.call('POST', `${packs}/${id}/cancel`);
    expect(cancelled.status).to.be.oneOf([202, 200]);
    const pack = await ended(id);
    expect([pack.state, pack.output]).to.deep.equal(['cancelled', null]);
    expect((await on.api.call('POST', `${packs}/${id}/cancel`)).status).to.equal(200);
    const retried = await on.api.call('POST', `${packs}/${id}/retry`);
    expect([retried.status, retried.json.retry_of]).to.deep.equal([202, id]);
    const whole = await ended(retried.json.id);
    expect([whole.state, whole.progress.documents_completed]).to.deep.equal(['succeeded', 2]);
    expect((await on.api.call('POST', `${packs}/${whole.id}/cancel`)).status).to.equal(409);
    expect((await on.api.call('POST', `${packs}/${whole.id}/retry`)).status).to.equal(409);
  });

  it('cancel many jobs in steps', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 60; at += 1) ids.push(await letter(`many${at}.md`));
    const { id } = await create({ source: { object_ids: ids } });
    await eventually(async () => {
      const path = `${packs}/${id}/documents?state=running`;
      return (await on.api.call('GET', path)).json.data.length > 0;
    });
    await on.api.call('POST', `${packs}/${id}/cancel`);
    const pack = await ended(id);
    expect(pack.state).to.equal('cancelled');
    const open = await on.api.rows(
      `SELECT FROM pack_document d JOIN job j ON j.id = d.job_id
       WHERE d.pack_id = $1 AND j.finished_at IS NULL AND j.state <> 'cancelling'`,
      [id],
    );
    expect(open).to.deep.equal([]);
  });

  it('fail with the first document that fails, and cancel its jobs in steps', async () => {
    const ids = [await on.upload(Buffer.from('PK\u0005\u0006'.padEnd(22, '\0')), 'a.zip')];
    for (let at = 0; at < 63; at += 1) ids.push(await letter(`stop${at}.md`));
    const pause = `INSERT INTO queue_pause (queue, reason) VALUES ('normalize', 'test')`;
    await on.api.rows(pause);
    const pack = await build({
      source: { object_ids: ids },
      options: { on_error: 'abort' },
    }).finally(() => on.api.rows('DELETE FROM queue_pause'));
    expect([pack.state, pack.error!.code]).to.deep.equal(['failed', 'document_left_out']);
    const steps = await on.api.rows<{ jobs: number }>(
      `SELECT count(*)::integer AS jobs FROM event e JOIN pack_document d ON d.job_id = e.resource_id
       WHERE d.pack_id = $1 AND e.type = 'documents.job.cancelled' GROUP BY e.xmin ORDER BY 1`,
      [pack.id],
    );
    expect(steps.map(({ jobs }) => jobs)).to.deep.equal([13, 50]);
    const states = (await documents(pack)).map(({ state }) => state);
    expect(states.filter((state) => state === 'cancelled')).to.have.length(63);
  });

  it('are not stored by a worker that finishes after they were cancelled', async () => {
    const { deps } = on.workers;
    const { storage } = deps;
    const id = await letter('late.md');
    let pack: PackRecord | undefined;
    let cancelled: Answer | undefined;
    deps.storage = Object.assign(Object.create(storage), {
      async receive(...given: Parameters<typeof storage.receive>) {
        const received = await storage.receive(...given);
        if (pack) cancelled ??= await on.api.call('POST', `${packs}/${pack.id}/cancel`);
        return received;
      },
    });
    try {
      pack = await create({ name: 'Late', source: { object_ids: [id] } });
      pack = await ended(pack.id);
    } finally {
      deps.storage = storage;
    }
    expect(cancelled!.status, cancelled!.text).to.equal(202);
    expect(cancelled!.json.state).to.equal('cancelling');
    expect([pack.state, pack.output]).to.deep.equal(['cancelled', null]);
    expect(await on.api.rows(`SELECT FROM object WHERE filename = 'Late.zip'`)).to.deep.equal([]);
    expect(await on.api.rows('SELECT FROM task WHERE resource_id = $1', [pack.id])).to.have.length(
      0,
    );
    const ends = await on.api.rows<{ type: string }>(
      `SELECT type FROM event WHERE resource_id = $1 AND type LIKE '%ed'
         AND type NOT SIMILAR TO '%(created|progressed)'`,
      [pack.id],
    );
    expect(ends).to.deep.equal([{ type: 'documents.pack.cancelled' }]);
  });

  it('are looked at less often while they wait', async () => {
    /** The pause before the next look, in seconds, once it is one of some. */
    const pauseOf = (id: string, among: readonly number[]): Promise<number> =>
      eventually(async () => {
        const [task] = await on.api.rows<{ pause: number }>(
          `SELECT round(extract(epoch FROM due_at - created_at))::integer AS pause FROM task
           WHERE resource_id = $1 AND kind = 'pack.advance' AND state = 'pending'`,
          [id],
        );
        return task && among.includes(task.pause) ? task.pause : null;
      });
    const cancel = (id: string) => on.api.call('POST', `${packs}/${id}/cancel`);
    await on.api.rows(`INSERT INTO project_quota VALUES ($1, 'jobs_in_flight', 0)`, [
      on.api.projectId,
    ]);
    const full = await create({ source: { object_ids: [await letter('full.md')] } });
    expect(await pauseOf(full.id, [15])).to.equal(15);
    await cancel(full.id);
    await on.api.rows('DELETE FROM project_quota');
    const pdf = await on.upload(await bornDigitalPdf([['Dear Mara Kleinhoevel']]), 'waits.pdf');
    const options = { redact: 'personal', review: 'required' };
    const reviewed = await create({ source: { object_ids: [pdf] }, options });
    expect(await pauseOf(reviewed.id, [20])).to.equal(20);
    await cancel(reviewed.id);
    expect((await ended(reviewed.id)).state).to.equal('cancelled');
  });

  it('are listed without a look at their documents', async () => {
    const pack = await build({ source: { object_ids: [await letter('listed.md')] } });
    await on.api.rows('REVOKE SELECT ON pack_document FROM api');
    try {
      const { status, json } = await on.api.call('GET', `${packs}?limit=1`);
      expect(status).to.equal(200);
      expect(json.data).to.deep.equal([pack]);
    } finally {
      await on.api.rows('GRANT SELECT ON pack_document TO api');
    }
  });

  it('have chunks whose identifiers depend on bytes and options alone', async () => {
    const id = await letter('key.md');
    const twin = await on.upload((await on.content(id)).bytes, 'other name.md');
    const keyOf = async (objectId: string, options: object): Promise<string> => {
      const pack = await build({ name: 'Keys', source: { object_ids: [objectId] }, options });
      const [chunk] = lines((await unpack(pack))['chunks.jsonl']!);
      return /^chk_([0-9a-f]{24})_0$/.exec(chunk.id)![1]!;
    };
    const key = await keyOf(id, {});
    expect(await keyOf(twin, {})).to.equal(key);
    expect(await keyOf(id, { include: ['chunks'], on_error: 'abort' })).to.equal(key);
    const others = [
      await keyOf(id, { chunk_tokens: 400 }),
      await keyOf(id, { overlap_tokens: 0 }),
      await keyOf(id, { redact: 'personal' }),
      await keyOf(id, { redact: 'pci' }),
      await keyOf(await letter('another.md'), {}),
    ];
    expect(new Set([key, ...others]).size).to.equal(6);
  });

  it('are limited in number while in progress', async () => {
    const source = { object_ids: [await letter('w.md')] };
    const ended = await build({ source });
    const fill = `INSERT INTO pack (project_id, id, state, name, source, options, origin)
      SELECT project_id, id || n, 'running', name, source, options, origin
      FROM pack, generate_series(1, ${limits.packs_in_progress}) n WHERE id = $1`;
    await on.api.rows(fill, [ended.id]);
    expect(await refused({ source })).to.deep.equal([429, 'rate_limited']);
    await on.api.rows(`DELETE FROM pack WHERE state = 'running'`);
    expect((await build({ source })).state).to.equal('succeeded');
  });

  it('have redacted text only, and what shows it is the redaction', async () => {
    const text = 'Write to jane.roe@example.com today.';
    const pdf = await on.upload(await bornDigitalPdf([[text]]), 'mail.pdf');
    const pack = await build({
      source: { object_ids: [pdf, await letter('mail.md', text)] },
      options: { redact: 'personal' },
    });
    expect(pack.state, JSON.stringify(await documents(pack))).to.equal('succeeded');
    const files = await unpack(pack);
    expect(JSON.stringify(files)).not.to.include('jane.roe');
    const manifest = JSON.parse(files['manifest.json']!);
    expect(manifest.documents[0].redaction).to.deep.equal({
      profile: 'personal',
      verified: true,
      reviewed: false,
    });
    const chunk = lines(files['chunks.jsonl']!).find(({ object_id }) => object_id === pdf);
    await addPolicy(on.api, {
      actions: ['read', 'download'],
      rules: [{ type: 'require_redaction', entities: 'personal' }],
    });
    const citation = await on.api.call('GET', `/v1/documents/citations/${chunk.id}`);
    expect(citation.status, citation.text).to.equal(200);
    expect(citation.json.shown_object_id).not.to.equal(pdf);
    expect(citation.json.text).not.to.include('jane.roe');
    expect((await on.content(pack.output!.object_id)).status).to.equal(200);
    const open = await build({ source: { object_ids: [pdf] } });
    expect([open.state, open.progress.documents_withheld]).to.deep.equal(['failed', 1]);
  });

  it('never show the source in place of a redaction that was purged', async () => {
    const text = 'Write to mary.major@example.com today.';
    const pdf = await on.upload(await bornDigitalPdf([[text]]), 'major.pdf');
    const options = { redact: 'personal', include: ['chunks', 'pages'] };
    const first = await build({ source: { object_ids: [pdf] }, options });
    const [chunk] = lines((await unpack(first))['chunks.jsonl']!);
    const citation = `/v1/documents/citations/${chunk.id}`;
    const { shown_object_id: redaction } = (await on.api.call('GET', citation)).json;
    const purged = await on.api.call('DELETE', `/v1/objects/${redaction}?purge=true`);
    expect(purged.status, purged.text).to.equal(204);
    expect((await on.api.call('GET', citation)).status).to.equal(404);
    const second = await build({ source: { object_ids: [pdf] }, options });
    expect([second.state, second.progress.documents_reused]).to.deep.equal(['succeeded', 0]);
    const { shown_object_id: shown } = (await on.api.call('GET', citation)).json;
    expect(shown).not.to.be.oneOf([redaction, pdf]);
  });

  it('do not contain what was purged or denied while the archive was written', async () => {
    const names = ['stays.md', 'goes.md', 'denied.md'];
    const ids = await Promise.all(names.map((name) => letter(name)));
    for (const id of ids.slice(1)) {
      await on.api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['board'] } });
    }
    const { deps } = on.workers;
    const { storage } = deps;
    let written = 0;
    deps.storage = Object.assign(Object.create(storage), {
      async receive(...given: Parameters<typeof storage.receive>) {
        const received = await storage.receive(...given);
        written += 1;
        if (written > 1) return received;
        await on.api.call('DELETE', `/v1/objects/${ids[1]}?purge=true`);
        await addPolicy(on.api, {
          scope: { type: 'tag', tags: ['board'] },
          actions: ['read'],
          rules: [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }],
        });
        return received;
      },
    });
    const pack = await build({ source: { object_ids: ids } }).finally(() => {
      deps.storage = storage;
    });
    expect(written).to.equal(2);
    expect(pack.state).to.equal('partially_succeeded');
    const left = (await documents(pack)).map(({ filename, error }) => [filename, error?.code]);
    expect(left).to.deep.equal([
      ['denied.md', 'policy_denied'],
      ['goes.md', 'source_unavailable'],
      ['stays.md', undefined],
    ]);
    const manifest = JSON.parse((await unpack(pack))['manifest.json']!);
    expect(manifest.totals).to.include({ documents: 1, left_out: 2 });
  });

  it('are built with fewer jobs at a time than the quota has left', async () => {
    await on.api.rows(`INSERT INTO project_quota VALUES ($1, 'jobs_in_flight', 2)`, [
      on.api.projectId,
    ]);
    const ids = await Promise.all([1, 2, 3, 4, 5].map((at) => letter(`q${at}.md`)));
    const pack = await build({ source: { object_ids: ids } }).finally(() =>
      on.api.rows('DELETE FROM project_quota'),
    );
    expect([pack.state, pack.progress.documents_completed]).to.deep.equal(['succeeded', 5]);
  });

  it('draw each page once', async () => {
    const pdf = await on.upload(await bornDigitalPdf([['Quay 1'], ['Quay 2']]), 'quays.pdf');
    const body = { source: { object_ids: [pdf] }, options: { include: ['pages'] } };
    const { deps } = on.workers;
    const { engines } = deps;
    let drawn = 0;
    deps.engines = {
      ...engines,
      drawPage: (...given) => {
        drawn += 1;
        return engines.drawPage(...given);
      },
    };
    try {
      const first = await build(body);
      const second = await build(body);
      expect(second.output!.sha256).to.equal(first.output!.sha256);
      expect(
        Object.keys(await unpack(second)).filter((name) => name.endsWith('.webp')),
      ).to.have.length(2);
      expect(drawn).to.equal(2);
    } finally {
      deps.engines = engines;
    }
  });

  it('are subject to the policies of what they contain', async () => {
    const id = await letter('tagged.md');
    await on.api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['board'] } });
    const pack = await build({ source: { object_ids: [id, await letter('plain.md')] } });
    const chunk = lines((await unpack(pack))['chunks.jsonl']!).find((one) => one.object_id === id);
    await addPolicy(on.api, {
      scope: { type: 'tag', tags: ['board'] },
      actions: ['read', 'download'],
      rules: [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }],
    });
    expect((await on.content(pack.output!.object_id)).status).to.equal(403);
    expect((await on.api.call('GET', `/v1/documents/citations/${chunk.id}`)).status).to.equal(403);
  });

  it('close the file of chunks in which one was found', async () => {
    const chunk = { index: 0, text: 'a', tokens: 1, headings: [], pages: [1, 1], boxes: [] };
    const input = Readable.from(Array(10_000).fill(Buffer.from(`${JSON.stringify(chunk)}\n`)));
    const storage: Storage = Object.assign(Object.create(on.api.deps.storage), {
      open: async () => input,
    });
    for await (const { text } of readChunks(storage, on.api.projectId, '')) {
      expect(text).to.equal('a');
      break;
    }
    expect(input.destroyed).to.equal(true);
  });

  it('return 404 for chunks that no pack of the project has', async () => {
    for (const id of [`chk_${'0'.repeat(24)}_0`, 'chk_x', `chk_${'0'.repeat(24)}_9999999`]) {
      expect((await on.api.call('GET', `/v1/documents/citations/${id}`)).status).to.equal(404);
    }
    const pack = await build({ source: { object_ids: [await letter('f.md')] } });
    const [chunk] = lines((await unpack(pack))['chunks.jsonl']!);
    const past = chunk.id.replace(/_0$/, '_7');
    expect((await on.api.call('GET', `/v1/documents/citations/${past}`)).status).to.equal(404);
    const foreign = await on.api.call('GET', `/v1/documents/citations/${chunk.id}`, on.api.other);
    expect(foreign.status).to.equal(404);
  });

  it('record each step as an event', async () => {
    const pack = await build({ source: { object_ids: [await letter('e.md')] } });
    const types = await on.api.rows<{ type: string }>(
      'SELECT DISTINCT type FROM event WHERE resource_id = $1 ORDER BY type',
      [pack.id],
    );
    expect(types.map(({ type }) => type)).to.deep.equal([
      'documents.pack.created',
      'documents.pack.progressed',
      'documents.pack.succeeded',
    ]);
  });
});
