import { previewWidth } from '@scriptorium/contracts/documents/preview';
import { expect } from 'chai';
import { linesOf, type Packs, packsPath, sharePacks } from '../../support/packs.ts';
import { addPolicy } from '../../support/policies.ts';
import { bornDigitalPdf } from '../../support/samples.ts';

describe('what packs contain', () => {
  let on: Packs;
  before(async () => {
    on = await sharePacks();
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));
  afterEach(() => on.requireTrueCounts());

  it('hold the text of every document, with chunks that lead to it', async () => {
    const pdf = await on.upload(await bornDigitalPdf([['Tariffs of pier 4'], ['Fines']]), 'b.pdf');
    const ids = [
      await on.uploadLetter('c.md'),
      pdf,
      await on.uploadLetter('a.md'),
      await on.uploadLetter('a.md', 'Closed.'),
    ];
    const pack = await on.build({
      source: { object_ids: ids },
      options: { include: ['markdown', 'chunks', 'blocks', 'pages'] },
    });
    expect([pack.state, pack.error]).to.deep.equal(['succeeded', null]);
    expect(pack.progress).to.include({ percent: 100, documents_total: 4, documents_completed: 4 });
    const files = await on.unpack(pack);
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
    const chunks = linesOf(files['chunks.jsonl']!);
    expect(manifest.totals.chunks).to.equal(chunks.length);
    expect(new Set(chunks.map(({ id }) => id)).size).to.equal(chunks.length);
    const cited = chunks.find(({ object_id }) => object_id === pdf);
    const citation = (await on.api.call('GET', `/v1/documents/citations/${cited.id}`)).json;
    expect(citation).to.deep.include({ object_id: pdf, text: cited.text, boxes: cited.boxes });
    const image = await on.api.call('GET', citation.images[0].url);
    expect([image.status, image.headers.get('content-type')]).to.deep.equal([200, 'image/webp']);
  });

  it('are the same bytes when built again, without processing anything again', async () => {
    const ids = [await on.uploadLetter('x.md'), await on.uploadLetter('y.md')];
    const first = await on.build({ source: { object_ids: ids } });
    const [jobs] = await on.api.rows('SELECT count(*) AS n FROM job');
    const second = await on.build({ source: { object_ids: ids.toReversed() } });
    expect(second.output!.sha256).to.equal(first.output!.sha256);
    expect(second.progress.documents_reused).to.equal(2);
    expect(await on.api.rows('SELECT count(*) AS n FROM job')).to.deep.equal([jobs]);
  });

  it('say what has changed since the pack that they refresh', async () => {
    const [kept, old, gone] = [
      await on.uploadLetter('kept.md'),
      await on.uploadLetter('new.md'),
      await on.uploadLetter('z.md'),
    ];
    const first = await on.build({ source: { object_ids: [kept, old, gone] } });
    const [changed, added] = [
      await on.uploadLetter('new.md', 'Later.'),
      await on.uploadLetter('added.md'),
    ];
    const source = { object_ids: [kept, changed, added] };
    const second = await on.build({ source, refreshes: first.id });
    expect(second.progress.documents_reused).to.equal(1);
    const changes = JSON.parse((await on.unpack(second))['changes.json']!);
    const names = (list: { filename: string }[]) => list.map(({ filename }) => filename);
    expect(names(changes.added)).to.deep.equal(['added.md']);
    expect(names(changes.removed)).to.deep.equal(['z.md']);
    expect(changes.changed[0]).to.deep.include({ filename: 'new.md', object_id: changed });
    expect(changes.changed[0].before.object_id).to.equal(old);
    expect(changes.unchanged).to.equal(1);
    const listed = async (query = '') => {
      const { json } = await on.api.call('GET', `${packsPath}/${second.id}/changes?${query}`);
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
    const none = await on.api.call('GET', `${packsPath}/${first.id}/changes`);
    expect([none.status, none.json.code]).to.deep.equal([409, 'state_conflict']);
    const again = await on.build({ source, refreshes: first.id });
    expect(again.output!.sha256).to.equal(second.output!.sha256);
  });

  it('have redacted text only, and what shows it is the redaction', async () => {
    const text = 'Write to jane.roe@example.com today.';
    const pdf = await on.upload(await bornDigitalPdf([[text]]), 'mail.pdf');
    const pack = await on.build({
      source: { object_ids: [pdf, await on.uploadLetter('mail.md', text)] },
      options: { redact: 'personal' },
    });
    expect(pack.state, JSON.stringify(await on.documents(pack))).to.equal('succeeded');
    const files = await on.unpack(pack);
    expect(JSON.stringify(files)).not.to.include('jane.roe');
    const manifest = JSON.parse(files['manifest.json']!);
    expect(manifest.documents[0].redaction).to.deep.equal({
      profile: 'personal',
      verified: true,
      reviewed: false,
    });
    const chunk = linesOf(files['chunks.jsonl']!).find(({ object_id }) => object_id === pdf);
    await addPolicy(on.api, {
      actions: ['read', 'download'],
      rules: [{ type: 'require_redaction', entities: 'personal' }],
    });
    const citation = await on.api.call('GET', `/v1/documents/citations/${chunk.id}`);
    expect(citation.status, citation.text).to.equal(200);
    expect(citation.json.shown_object_id).not.to.equal(pdf);
    expect(citation.json.text).not.to.include('jane.roe');
    expect((await on.content(pack.output!.object_id)).status).to.equal(200);
    const open = await on.build({ source: { object_ids: [pdf] } });
    expect([open.state, open.progress.documents_withheld]).to.deep.equal(['failed', 1]);
    // The policy judges what is shown: the redaction, not its source.
    const again = await on.build({
      source: { object_ids: [pdf] },
      options: { redact: 'personal' },
    });
    expect([again.state, again.progress.documents_withheld]).to.deep.equal(['succeeded', 0]);
  });

  it('name redacted documents as their redactions, and others by their position', async () => {
    const text = 'Jane Roe called. Write to jane.roe@example.com.';
    const options = { redact: 'personal', include: ['markdown', 'chunks', 'blocks', 'pages'] };
    const removed = await on.uploadLetter('Jane Roe reply.md', text);
    const before = await on.build({ source: { object_ids: [removed] }, options });
    const pdf = await on.upload(await bornDigitalPdf([[text]]), 'Jane Roe contract.pdf');
    const gone = await on.uploadLetter('Jane Roe address.md', text);
    await on.api.call('DELETE', `/v1/objects/${gone}`);
    const pack = await on.build({
      source: { object_ids: [pdf, gone, await on.uploadLetter('Jane Roe letter.md', text)] },
      options,
      refreshes: before.id,
    });
    expect(pack.state, JSON.stringify(await on.documents(pack))).to.equal('partially_succeeded');
    const files = await on.unpack(pack);
    for (const [name, content] of Object.entries(files)) {
      expect(`${name} ${content}`).not.to.match(/jane|roe\b/i);
    }
    const { documents } = JSON.parse(files['manifest.json']!);
    const names = documents.map(({ filename }: { filename: string | null }) => filename);
    expect(names).to.deep.equal([
      null,
      'PERSON contract.redacted.pdf',
      'PERSON letter.redacted.md',
    ]);
    expect(files).to.have.property('documents/00002-PERSON-contract.redacted.md');
    expect(files['llms.txt']).to.include('[PERSON contract.redacted.pdf]');
    const changes = JSON.parse(files['changes.json']!);
    expect(changes.removed[0].filename).to.equal('PERSON reply.redacted.md');
    const chunk = linesOf(files['chunks.jsonl']!).find(({ object_id }) => object_id === pdf);
    expect(chunk.filename).to.equal('PERSON contract.redacted.pdf');
    const citation = await on.api.call('GET', `/v1/documents/citations/${chunk.id}`);
    expect(citation.json.filename).to.equal('PERSON contract.redacted.pdf');
    const stricter = await on.build({
      source: { object_ids: [pdf] },
      options: { ...options, redact: 'hipaa' },
      refreshes: before.id,
    });
    const since = JSON.parse((await on.unpack(stricter))['changes.json']!);
    expect(
      since.removed.map(({ filename }: { filename: string | null }) => filename),
    ).to.deep.equal([null]);
  });

  it('are without a review if a redaction in them is', async () => {
    const text = 'Write to jane.roe@example.com today.';
    const pack = await on.build({
      source: { object_ids: [await on.uploadLetter('unseen.md', text)] },
      options: { redact: 'personal' },
    });
    expect(pack.state).to.equal('succeeded');
    const archive = pack.output!.object_id;
    await addPolicy(on.api, {
      actions: ['download'],
      rules: [{ type: 'require_review', ops: ['redact_pii'] }],
    });
    expect((await on.content(archive)).status).to.equal(403);
  });

  it('are reviewed only if all redactions in them are', async () => {
    const text = 'Write to jane.roe@example.com today.';
    const built = await Promise.all(
      [['seen.md'], ['seen too.md', 'unseen.md']].map(async (names) => {
        const object_ids = await Promise.all(names.map((name) => on.uploadLetter(name, text)));
        return on.build({ source: { object_ids }, options: { redact: 'personal' } });
      }),
    );
    await on.api.rows(
      `UPDATE redaction_fact SET reviewed = true FROM object o
       WHERE o.id = redaction_fact.source_object_id AND o.filename LIKE 'seen%'`,
    );
    // Built again with the reviewed redactions.
    const again = await Promise.all(
      built.map(async (pack) => {
        const object_ids = (await on.documents(pack)).map(({ object_id }) => object_id);
        return on.build({ source: { object_ids }, options: { redact: 'personal' } });
      }),
    );
    await addPolicy(on.api, {
      actions: ['download'],
      rules: [{ type: 'require_redaction', entities: 'personal', reviewed: true }],
    });
    const statuses = again.map(async ({ output }) => (await on.content(output!.object_id)).status);
    expect(await Promise.all(statuses)).to.deep.equal([200, 403]);
  });

  it('are unclassified if a document in them is, besides the labels of the others', async () => {
    const [labelled, other] = [
      await on.uploadLetter('invoice.md'),
      await on.uploadLetter('other.md'),
    ];
    await on.api.rows(
      `UPDATE object SET labels = '[{"label": "invoice", "score": 1}]', labels_partial = false
       WHERE id = $1`,
      [labelled],
    );
    const all = await on.build({ source: { object_ids: [labelled] } });
    const some = await on.build({ source: { object_ids: [labelled, other] } });
    const statuses = async (rule: object) => {
      await addPolicy(on.api, {
        actions: ['download'],
        rules: [{ type: 'deny_labels', ...rule }],
      });
      const asked = [all, some].map(async ({ output }) => {
        return (await on.content(output!.object_id)).status;
      });
      const given = await Promise.all(asked);
      await on.api.rows('DELETE FROM policy');
      return given;
    };
    expect(await statuses({ labels: ['passport'] })).to.deep.equal([200, 403]);
    expect(await statuses({ labels: ['passport'], require_labels: false })).to.deep.equal([
      200, 200,
    ]);
    expect(await statuses({ labels: ['invoice'], require_labels: false })).to.deep.equal([
      403, 403,
    ]);
  });

  it('are subject to the policies of a document whose bytes another one shares', async () => {
    const text = 'Write to jane.roe@example.com today.';
    const options = { redact: 'personal' };
    const open = await on.uploadLetter('open.md', text);
    const twin = await on.upload((await on.content(open)).bytes, 'twin.md');
    await on.api.call('PATCH', `/v1/objects/${twin}`, { body: { tags: ['board'] } });
    await on.build({ source: { object_ids: [open] }, options });
    const pack = await on.build({ source: { object_ids: [twin] }, options });
    expect([pack.state, pack.progress.documents_reused]).to.deep.equal(['succeeded', 1]);
    const scope = { type: 'tag', tags: ['board'] };
    const rules = [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }];
    await addPolicy(on.api, { scope, rules, actions: ['download'] });
    expect((await on.content(pack.output!.object_id)).status).to.equal(403);
    await addPolicy(on.api, { scope, rules, actions: ['read'] });
    const withheld = await on.build({ source: { object_ids: [twin, open] }, options });
    const documents = await on.documents(withheld);
    expect(documents.map(({ filename, state }) => [filename, state])).to.deep.equal([
      ['open.md', 'succeeded'],
      ['twin.md', 'withheld'],
    ]);
  });

  it('have the types of their documents, for the conditions of policies', async () => {
    const pdf = await on.upload(await bornDigitalPdf([['Berths of pier 7']]), 'berths.pdf');
    const packs = [
      await on.build({ source: { object_ids: [await on.uploadLetter('berths.md')] } }),
      await on.build({ source: { object_ids: [pdf, await on.uploadLetter('piers.md')] } }),
    ];
    await addPolicy(on.api, {
      when: { mime: ['application/pdf'] },
      actions: ['download'],
      rules: [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }],
    });
    const statuses = packs.map(async ({ output }) => (await on.content(output!.object_id)).status);
    expect(await Promise.all(statuses)).to.deep.equal([200, 403]);
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
        // The preview is drawn when the document arrives.
        if (given[0].width !== previewWidth) drawn += 1;
        return engines.drawPage(...given);
      },
    };
    try {
      const first = await on.build(body);
      const second = await on.build(body);
      expect(second.output!.sha256).to.equal(first.output!.sha256);
      expect(
        Object.keys(await on.unpack(second)).filter((name) => name.endsWith('.webp')),
      ).to.have.length(2);
      expect(drawn).to.equal(2);
    } finally {
      deps.engines = engines;
    }
  });

  it('do not contain what was purged or denied while the archive was written', async () => {
    const names = ['stays.md', 'goes.md', 'denied.md'];
    const ids = await Promise.all(names.map((name) => on.uploadLetter(name)));
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
    const pack = await on.build({ source: { object_ids: ids } }).finally(() => {
      deps.storage = storage;
    });
    expect(written).to.equal(2);
    expect(pack.state).to.equal('partially_succeeded');
    const left = (await on.documents(pack)).map(({ filename, error }) => [filename, error?.code]);
    expect(left).to.deep.equal([
      ['denied.md', 'policy_denied'],
      ['goes.md', 'source_unavailable'],
      ['stays.md', undefined],
    ]);
    const manifest = JSON.parse((await on.unpack(pack))['manifest.json']!);
    expect(manifest.totals).to.include({ documents: 1, left_out: 2 });
  });
});
