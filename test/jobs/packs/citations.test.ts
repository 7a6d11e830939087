import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readChunks } from '../../../src/jobs/packs/packing/chunks.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { linesOf, type Packs, sharePacks } from '../../support/packs.ts';
import { addPolicy } from '../../support/policies.ts';
import { bornDigitalPdf } from '../../support/samples.ts';

describe('citations of packs', () => {
  let on: Packs;
  before(async () => {
    on = await sharePacks();
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));
  afterEach(() => on.requireTrueCounts());

  it('have chunks whose identifiers depend on bytes and options alone', async () => {
    const id = await on.uploadLetter('key.md');
    const twin = await on.upload((await on.content(id)).bytes, 'other name.md');
    const keyOf = async (objectId: string, options: object): Promise<string> => {
      const pack = await on.build({ name: 'Keys', source: { object_ids: [objectId] }, options });
      const [chunk] = linesOf((await on.unpack(pack))['chunks.jsonl']!);
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
      await keyOf(await on.uploadLetter('another.md'), {}),
    ];
    expect(new Set([key, ...others]).size).to.equal(6);
  });

  it('are subject to the policies of what they contain', async () => {
    const id = await on.uploadLetter('tagged.md');
    await on.api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['board'] } });
    const pack = await on.build({
      source: { object_ids: [id, await on.uploadLetter('plain.md')] },
    });
    const chunk = linesOf((await on.unpack(pack))['chunks.jsonl']!).find(
      (one) => one.object_id === id,
    );
    await addPolicy(on.api, {
      scope: { type: 'tag', tags: ['board'] },
      actions: ['read', 'download'],
      rules: [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }],
    });
    expect((await on.content(pack.output!.object_id)).status).to.equal(403);
    expect((await on.api.call('GET', `/v1/documents/citations/${chunk.id}`)).status).to.equal(403);
  });

  it('never show the source in place of a redaction that was purged', async () => {
    const text = 'Write to mary.major@example.com today.';
    const pdf = await on.upload(await bornDigitalPdf([[text]]), 'major.pdf');
    const options = { redact: 'personal', include: ['chunks', 'pages'] };
    const first = await on.build({ source: { object_ids: [pdf] }, options });
    const [chunk] = linesOf((await on.unpack(first))['chunks.jsonl']!);
    const citation = `/v1/documents/citations/${chunk.id}`;
    const { shown_object_id: redaction } = (await on.api.call('GET', citation)).json;
    const purged = await on.api.call('DELETE', `/v1/objects/${redaction}?purge=true`);
    expect(purged.status, purged.text).to.equal(204);
    expect((await on.api.call('GET', citation)).status).to.equal(404);
    const second = await on.build({ source: { object_ids: [pdf] }, options });
    expect([second.state, second.progress.documents_reused]).to.deep.equal(['succeeded', 0]);
    const { shown_object_id: shown } = (await on.api.call('GET', citation)).json;
    expect(shown).not.to.be.oneOf([redaction, pdf]);
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
    const pack = await on.build({ source: { object_ids: [await on.uploadLetter('f.md')] } });
    const [chunk] = linesOf((await on.unpack(pack))['chunks.jsonl']!);
    const past = chunk.id.replace(/_0$/, '_7');
    expect((await on.api.call('GET', `/v1/documents/citations/${past}`)).status).to.equal(404);
    const foreign = await on.api.call('GET', `/v1/documents/citations/${chunk.id}`, on.api.other);
    expect(foreign.status).to.equal(404);
  });
});
