import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type Packs, packsPath, sharePacks } from '../../support/packs.ts';
import { addPolicy } from '../../support/policies.ts';

describe('the documents of packs', () => {
  let on: Packs;
  before(async () => {
    on = await sharePacks();
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));
  afterEach(() => on.requireTrueCounts());

  it('name documents that fail or are withheld, and hold the others', async () => {
    const broken = await on.upload(Buffer.from('%PDF-1.7\nnothing here'), 'broken.pdf');
    const program = await on.upload(Buffer.from('PK\u0005\u0006'.padEnd(22, '\0')), 'files.zip');
    const secret = await on.uploadLetter('secret.md');
    await on.api.call('PATCH', `/v1/objects/${secret}`, { body: { tags: ['secret'] } });
    await addPolicy(on.api, {
      scope: { type: 'tag', tags: ['secret'] },
      actions: ['process'],
      rules: [{ type: 'allowed_mime_types', include: ['image/*'] }],
    });
    const fine = await on.uploadLetter('fine.md');
    const pack = await on.build({ source: { object_ids: [broken, program, secret, fine] } });
    expect(pack.state).to.equal('partially_succeeded');
    expect(pack.progress).to.include({ documents_failed: 2, documents_withheld: 1 });
    const states = (await on.documents(pack)).map(({ filename, state, error }) => [
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
    const files = await on.unpack(pack);
    const manifest = JSON.parse(files['manifest.json']!);
    expect(manifest.totals).to.include({ documents: 1, left_out: 3 });
    expect(manifest.documents[3].error.code).to.equal('policy_denied');
    const only = (await on.api.call('GET', `${packsPath}/${pack.id}/documents?state=withheld`))
      .json;
    expect(only.data).to.have.length(1);
    const aborted = await on.build({
      source: { object_ids: [broken, fine] },
      options: { on_error: 'abort' },
    });
    expect([aborted.state, aborted.error!.code, aborted.output]).to.deep.equal([
      'failed',
      'document_left_out',
      null,
    ]);
    const nothing = await on.build({ source: { object_ids: [broken] } });
    expect([nothing.state, nothing.error!.code]).to.deep.equal(['failed', 'no_documents']);
  });

  it('come from collections and filters, each object once', async () => {
    const ids = [await on.uploadLetter('one.md'), await on.uploadLetter('two.md')];
    for (const id of ids) {
      await on.api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['packed'] } });
    }
    const members = ids.map((id) => ({ resource_type: 'object', resource_id: id }));
    const made = await on.api.call('POST', '/v1/collections', { body: { name: 'C', members } });
    const collected = await on.build({ source: { collection_id: made.json.id } });
    const filtered = await on.build({ source: { filter: { tag: ['packed'] } } });
    expect(filtered.output!.sha256).to.equal(collected.output!.sha256);
    const asText = await on.create({
      source: { filter: { tag: 'packed', mime: 'text/plain,text/markdown' } },
    });
    expect(asText.source.filter).to.deep.include({
      tag: ['packed'],
      mime: ['text/plain', 'text/markdown'],
    });
    // An empty list restricts nothing.
    const empty = await on.create({ source: { filter: { tag: ['packed'], mime: [], kind: [] } } });
    expect(empty.progress.documents_total).to.equal(2);
    expect(collected.source.collection_id).to.equal(made.json.id);
  });

  it('reject sources that are empty, ambiguous, repeated or missing', async () => {
    const id = await on.uploadLetter('r.md');
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
      expect(await on.rejection(body), JSON.stringify(body)).to.deep.equal([status, code]);
    }
  });

  it('leave out an object that vanishes while they are built', async () => {
    const [stays, goes] = [await on.uploadLetter('stays.md'), await on.uploadLetter('goes.md')];
    const { id } = await on.create({ source: { object_ids: [stays, goes] } });
    await on.api.call('DELETE', `/v1/objects/${goes}?purge=true`);
    const pack = await on.untilEnded(id);
    const gone = (await on.documents(pack)).find(({ object_id }) => object_id === goes);
    expect([pack.state, gone!.error!.code]).to.deep.equal([
      'partially_succeeded',
      'source_unavailable',
    ]);
  });
});
