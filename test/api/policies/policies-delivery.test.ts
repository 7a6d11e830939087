import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { newId } from '@scriptorium/contracts/ids';
import { createEngines, type Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { inProject, inTransaction, query } from '../../../src/db/transaction.ts';
import { openOperation } from '../../../src/jobs/opening/open.ts';
import { giveUpInspecting, inspectObject } from '../../../src/library/objects/arrival/inspect.ts';
import { enforce } from '../../../src/policies/enforce.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { originOf } from '../../support/database-fixture.ts';
import { eventsOf } from '../../support/images.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { cameraExif, placeBytes, quarteredPicture } from '../../support/pictures.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { scannedPdf } from '../../support/samples.ts';
import { takeTask } from '../../support/tasks.ts';
import { postRaw } from '../../support/uploads.ts';

describe('policies on uploads and downloads', () => {
  let api: TestApi;
  let imaging: TestImaging;
  let engines: Engines;
  before(async () => {
    api = await startApi();
    imaging = await openImaging(api);
    engines = createEngines({ processes: 1, memoryBytes: 2 ** 30, tmpDir: tmpdir() });
  });
  after(async () => {
    await engines.close();
    await imaging.close();
    await api.close();
  });

  const policy = (rule: object, actions: string[], changed: object = {}): Promise<string> =>
    addPolicy(api, { actions, rules: [rule], ...changed });
  const typesOf = async (id: string): Promise<string[]> =>
    (await eventsOf(api, id)).map(({ type }) => type);
  const get = async (id: string) => (await api.call('GET', `/v1/objects/${id}`)).json;

  describe('by default', () => {
    it('reject executables and scripted SVG, and strip locations from images', async () => {
      const { json } = await api.call('GET', policiesPath);
      expect(
        json.data.map((one: { actions: string[]; rules: object[] }) => [one.actions, one.rules]),
      ).to.deep.equal([
        [['download'], [{ type: 'strip_metadata', fields: ['gps'] }]],
        [
          ['upload'],
          [{ type: 'allowed_mime_types', exclude: ['*/*;executable', 'image/svg+xml;scripted'] }],
        ],
      ]);
      const svg = (inner: string) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`;
      for (const [bytes, name, status] of [
        [Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100)]), 'a.pdf', 403],
        ['#!/bin/sh\necho', 'notes.txt', 403],
        [svg('<script>alert(1)</script>'), 'a.svg', 403],
        // After the part that is examined first.
        [svg(`<!--${' '.repeat(100_000)}--><rect onload="alert(1)"/>`), 'b.svg', 403],
        [svg('<rect/>'), 'c.svg', 201],
        ['<html><script>1</script></html>', 'd.html', 201],
      ] as const) {
        const answer = await postRaw(api, bytes as Buffer, name);
        expect([name, answer.status]).to.deep.equal([name, status]);
        if (status === 403) expect(answer.json.code).to.equal('policy_denied');
      }
    });
  });

  describe('during processing', () => {
    beforeEach(async () => {
      await api.rows('DELETE FROM policy');
    });

    const inspect = async (end: 'run' | 'give up' = 'run'): Promise<void> => {
      const due = await inTransaction(imaging.database, (tx) =>
        query<{ id: string }>(tx, `SELECT id FROM task WHERE kind = 'object.inspect'`, []),
      );
      for (const { id } of due) {
        const run = await takeTask<'object.inspect'>(imaging.database, id);
        const { storage } = api.deps;
        const deps = { database: imaging.database, storage, engines, imaging: imaging.imaging };
        await (end === 'run' ? inspectObject(deps, run) : giveUpInspecting(run));
      }
    };
    const upload = async (bytes: Buffer, name: string): Promise<string> => {
      const answer = await postRaw(api, bytes, name);
      expect([answer.status, answer.json.state]).to.deep.equal([201, 'processing']);
      expect(await typesOf(answer.json.id)).to.deep.equal(['dam.object.created']);
      return answer.json.id;
    };

    for (const format of ['jpeg', 'gif', 'avif', 'tiff'] as const) {
      it(`keep an image back until its pixels are known: ${format}`, async () => {
        await policy({ type: 'max_pixels', pixels: 1_000 }, ['upload']);
        const small = await upload(
          await quarteredPicture(20, 20).toFormat(format).toBuffer(),
          `s.${format}`,
        );
        const large = await upload(
          await quarteredPicture(40, 40).toFormat(format).toBuffer(),
          `l.${format}`,
        );
        expect(
          await api.rows('SELECT FROM image WHERE object_id = ANY($1)', [[small, large]]),
        ).to.have.length(0);
        await inspect();
        expect((await get(small)).state).to.equal('available');
        expect(await typesOf(small)).to.deep.equal(['dam.object.created', 'dam.object.available']);
        expect(await api.rows('SELECT FROM image WHERE object_id = $1', [small])).to.have.length(1);
        const rejected = await get(large);
        expect(rejected.state).to.equal('rejected');
        expect(rejected.rejection).to.include({ code: 'policy_denied', status: 403 });
        expect(rejected.rejection.violations[0].code).to.equal('too_many_pixels');
        expect(await typesOf(large)).to.deep.equal(['dam.object.created', 'dam.object.rejected']);
      });
    }

    it('keep a document back until its pages are counted, on behalf of the uploader', async () => {
      const id = await policy({ type: 'max_pages', pages: 1 }, ['upload']);
      const one = await upload(await scannedPdf([['One']]), 'one.pdf');
      const two = await upload(await scannedPdf([['One'], ['Two']]), 'two.pdf');
      await inspect();
      expect(await get(one)).to.include({ state: 'available', pages: 1 });
      expect((await get(two)).state).to.equal('rejected');
      const [event] = await api.rows<{ actor_id: string; data: object }>(
        `SELECT actor_id, data FROM event WHERE resource_id = $1 AND type = 'dam.object.rejected'`,
        [two],
      );
      expect(event).to.deep.equal({
        actor_id: api.keyId,
        data: { policy_id: id, rule_type: 'max_pages' },
      });
      const [denied] = await api.rows<{ data: object }>(
        `SELECT data FROM event WHERE resource_id = $1 AND type = 'dam.policy.denied'`,
        [id],
      );
      expect(denied?.data).to.deep.include({
        resource_id: two,
        filename: 'two.pdf',
        sha256: (await get(two)).sha256,
      });
    });

    it('fail an unreadable file with the reason', async () => {
      await policy({ type: 'max_pages', pages: 1 }, ['upload']);
      const broken = await upload(Buffer.from('%PDF-1.7\nnothing else'), 'broken.pdf');
      await inspect();
      const failed = await get(broken);
      expect([failed.state, failed.rejection.code]).to.deep.equal(['failed', 'damaged']);
      expect(await typesOf(broken)).to.deep.equal(['dam.object.created', 'dam.object.failed']);
      const killer = await upload(await scannedPdf([['x']]), 'killer.pdf');
      await inspect('give up');
      expect((await get(killer)).rejection.code).to.equal('gave_up');
    });

    it('let a job start, and fail it if the count exceeds the limit', async () => {
      const pdf = await scannedPdf([['One'], ['Two']]);
      const source = (await postRaw(api, pdf, 'job.pdf')).json.id;
      await policy({ type: 'max_pages', pages: 1 }, ['process']);
      const start = () =>
        api.call('POST', '/v1/documents/ocr', { body: { source_object_id: source } });
      const job = await start();
      expect(job.status).to.equal(202);
      const [task] = await api.rows<{ id: string }>('SELECT id FROM task WHERE resource_id = $1', [
        job.json.id,
      ]);
      const run = await takeTask<'operation.open'>(imaging.database, task!.id);
      const { storage, logger } = api.deps;
      const { seal, open: unseal } = api.deps.seal;
      const { database } = imaging;
      const deps = { database, storage, engines, recogniser: null, logger, seal, unseal };
      await openOperation(deps, run);
      const failed = (await api.call('GET', `/v1/documents/jobs/${job.json.id}`)).json;
      expect([failed.state, failed.error.code]).to.deep.equal(['failed', 'policy_denied']);
      // Now the pages are known.
      expect((await start()).status).to.equal(403);
    });

    it('keep nothing back if no rule needs pixels or pages of this type of file', async () => {
      const jpeg = await quarteredPicture(8, 8).jpeg().toBuffer();
      await policy({ type: 'max_pages', pages: 9 }, ['upload']);
      await policy({ type: 'max_pixels', pixels: 9 }, ['upload'], { mode: 'audit' });
      await policy({ type: 'max_pixels', pixels: 9 }, ['upload'], {
        when: { mime: ['image/gif'] },
      });
      expect((await postRaw(api, jpeg, 'a.jpg')).json.state).to.equal('available');
      expect((await postRaw(api, 'text', 'a.txt')).json.state).to.equal('available');
    });
  });

  describe('at delivery', () => {
    beforeEach(async () => {
      await api.rows('DELETE FROM policy');
      await policy({ type: 'strip_metadata', fields: ['gps'] }, ['download']);
    });

    const photo = async (name: string): Promise<{ id: string; bytes: Buffer }> => {
      const bytes = await quarteredPicture(64, 48).jpeg().withExif(cameraExif).toBuffer();
      return { id: (await postRaw(api, bytes, name)).json.id, bytes };
    };
    const content = async (at: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(api.url + at, {
        headers: {
          authorization: `Bearer ${api.key}`,
          'x-service-project-id': api.projectId,
          ...headers,
        },
      });
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const hasPlace = (bytes: Buffer) => placeBytes.some((part) => bytes.includes(part));

    it('serve images without their location, with a separate hash, length and ranges', async () => {
      const { id, bytes } = await photo('place.jpg');
      expect(hasPlace(bytes)).to.equal(true);
      // Requested before it is created: the response waits for the worker.
      const waiting = content(`/v1/objects/${id}/content`);
      for (let made = false; !made; ) {
        await imaging.run();
        made = (await api.rows('SELECT FROM object_variant WHERE sha256 IS NOT NULL')).length > 0;
      }
      const { answer, bytes: stripped } = await waiting;
      expect(answer.status).to.equal(200);
      expect(hasPlace(stripped)).to.equal(false);
      expect(stripped.includes('ACME')).to.equal(true);
      const hash = createHash('sha256').update(stripped).digest('hex');
      expect(answer.headers.get('etag')).to.equal(`"${hash}"`);
      expect(answer.headers.get('content-length')).to.equal(String(stripped.length));
      const part = await content(`/v1/objects/${id}/content`, { range: 'bytes=10-19' });
      expect(part.answer.status).to.equal(206);
      expect(part.bytes).to.deep.equal(stripped.subarray(10, 20));
      expect(part.answer.headers.get('content-range')).to.equal(`bytes 10-19/${stripped.length}`);
      const wish = { ttl_seconds: 60 };
      const signed = await api.call('POST', `/v1/objects/${id}/signed-urls`, { body: wish });
      const viaUrl = await content(new URL(signed.json.url, api.url).pathname);
      expect(viaUrl.bytes).to.deep.equal(stripped);
    });

    it('deny an image that cannot be stripped', async () => {
      const { id } = await photo('stuck.jpg');
      await api.rows(
        `INSERT INTO object_variant (project_id, object_id, variant, error)
         VALUES ($1, $2, 'strip:gps', '{"code": "damaged", "message": "It is damaged.", "retryable": false}')`,
        [api.projectId, id],
      );
      const { answer, bytes } = await content(`/v1/objects/${id}/content`);
      expect(answer.status).to.equal(409);
      expect(JSON.parse(bytes.toString())).to.include({ code: 'state_conflict', retryable: false });
    });

    it('serve nothing of an object that was purged after the look-up', async () => {
      await policy({ type: 'ip_allow', cidrs: ['0.0.0.0/0'] }, ['download']);
      const origin = originOf(api.projectId);
      const answered = inProject(imaging.database, api.projectId, (tx) =>
        enforce(tx, origin, { action: 'download', objectId: newId('object') }),
      );
      const code = await answered.then(
        () => 'allowed',
        (error: { code?: string }) => error.code,
      );
      expect(code).to.equal('not_found');
    });

    it('serve other files unchanged', async () => {
      const { id } = (await postRaw(api, 'just text', 'a.txt')).json;
      expect((await content(`/v1/objects/${id}/content`)).bytes.toString()).to.equal('just text');
    });

    describe('with required redaction', () => {
      const redaction = async (sourceId: string, text: string, fact: object): Promise<string> => {
        const { id } = (await postRaw(api, text, `${text}.txt`)).json;
        const { verified, entities, all_pages } = {
          verified: true,
          entities: null,
          all_pages: true,
          ...fact,
        };
        await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [id, sourceId]);
        await api.rows(
          `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [api.projectId, id, sourceId, verified, entities, all_pages],
        );
        return id;
      };

      it('serve the newest verified redaction of all pages and entities, or nothing', async () => {
        const source = (await postRaw(api, 'secret', 'secret.txt')).json.id;
        const rule = { type: 'require_redaction', entities: ['email', 'name'] };
        await policy({ ...rule, fallback: 'serve_redacted' }, ['download']);
        const text = async (id: string) => {
          const { answer, bytes } = await content(`/v1/objects/${id}/content`);
          return [answer.status, answer.status === 200 ? bytes.toString() : null];
        };
        expect(await text(source)).to.deep.equal([403, null]);
        await redaction(source, 'unverified', { verified: false });
        await redaction(source, 'some pages', { all_pages: false });
        await redaction(source, 'some entities', { entities: ['email'] });
        expect(await text(source)).to.deep.equal([403, null]);
        await redaction(source, 'older', {});
        const newest = await redaction(source, 'newest', { entities: ['name', 'email', 'phone'] });
        expect(await text(source)).to.deep.equal([200, 'newest']);
        expect(await text(newest)).to.deep.equal([200, 'newest']);
        const partly = await redaction(source, 'partly', { all_pages: false });
        expect(await text(partly)).to.deep.equal([200, 'partly']);
        const unverified = await redaction(source, 'not verified', { verified: false });
        // It is not redacted itself, and nothing else is a redaction of it.
        expect(await text(unverified)).to.deep.equal([403, null]);
        await policy({ type: 'require_redaction', entities: 'all' }, ['download']);
        expect(await text(source)).to.deep.equal([403, null]);
      });

      it('require further redaction of a redaction to which another policy applies', async () => {
        const source = (await postRaw(api, 'plain', 'plain.txt')).json.id;
        const first = await redaction(source, 'without email', { entities: ['email'] });
        const rule = { type: 'require_redaction', fallback: 'serve_redacted' };
        await policy({ ...rule, entities: ['email'] }, ['download']);
        const text = async () => {
          const { answer, bytes } = await content(`/v1/objects/${source}/content`);
          return answer.status === 200 ? bytes.toString() : answer.status;
        };
        expect(await text()).to.equal('without email');
        await policy({ ...rule, entities: ['phone'] }, ['download'], {
          scope: { type: 'tag', tags: ['first'] },
        });
        await api.call('PATCH', `/v1/objects/${first}`, { body: { tags: ['first'] } });
        expect(await text()).to.equal(403);
        await redaction(first, 'without phone', { entities: ['phone'] });
        expect(await text()).to.equal('without phone');
      });

      it('exclude the text of an unreadable class from search', async () => {
        const labelled = async (labels: object[]): Promise<string> => {
          const { id } = (await postRaw(api, `scan ${labels.length}`, 'scan.txt')).json;
          await api.rows('UPDATE object SET labels = $2 WHERE id = $1', [
            id,
            JSON.stringify(labels),
          ]);
          await api.rows(
            `UPDATE object_index SET text = to_tsvector('library', 'xanadu') WHERE object_id = $1`,
            [id],
          );
          return id;
        };
        const unknown = await labelled([]);
        const invoice = await labelled([{ label: 'invoice', score: 1 }]);
        const both = await labelled([
          { label: 'passport', score: 0.6 },
          { label: 'invoice', score: 0.4 },
        ]);
        // Labels with a low score do not count.
        const hardly = await labelled([
          { label: 'invoice', score: 0.9 },
          { label: 'receipt', score: 0.09 },
          { label: 'passport', score: 0.01 },
        ]);
        const search = async (): Promise<string[]> =>
          (await api.call('GET', '/v1/objects?q=xanadu')).json.data.map(
            ({ id }: { id: string }) => id,
          );
        expect(await search()).to.have.members([unknown, invoice, both, hardly]);
        const rule = { type: 'deny_labels', labels: ['passport'] };
        await policy({ ...rule, require_labels: false }, ['read']);
        expect(await search()).to.have.members([unknown, invoice, hardly]);
        await policy(rule, ['read']);
        expect(await search()).to.have.members([invoice, hardly]);
      });

      it('exclude the text from search, but not that of its redaction', async () => {
        const search = async (): Promise<string[]> =>
          (await api.call('GET', '/v1/objects?q=zanzibar')).json.data.map(
            ({ id }: { id: string }) => id,
          );
        const text = (id: string) =>
          api.rows(
            `UPDATE object_index SET text = to_tsvector('library', 'zanzibar') WHERE object_id = $1`,
            [id],
          );
        const source = (await postRaw(api, 'scan', 'scan.txt')).json.id;
        const named = (await postRaw(api, 'scan', 'zanzibar.txt')).json.id;
        const redacted = await redaction(source, 'redacted', {});
        for (const id of [source, redacted]) await text(id);
        expect(await search()).to.have.members([source, named, redacted]);
        const rule = { type: 'require_redaction', entities: ['name'] };
        const id = await policy(rule, ['read'], { scope: { type: 'tag', tags: ['hush'] } });
        expect(await search()).to.have.members([source, named, redacted]);
        await api.call('PATCH', `/v1/objects/${source}`, { body: { tags: ['hush'] } });
        expect(await search()).to.have.members([named, redacted]);
        await api.rows('UPDATE redaction_fact SET verified = false WHERE object_id = $1', [
          redacted,
        ]);
        expect(await search()).to.have.members([named]);
        const scoped = async (scope: object, when: object | null) => {
          const body = { scope, when };
          const headers = { 'if-match': '*' };
          await api.call('PATCH', `${policiesPath}/${id}`, { body, headers });
        };
        const project = { type: 'project' };
        await scoped(project, { mime: ['image/*', 'text/markdown'] });
        expect(await search()).to.have.members([source, named, redacted]);
        await scoped(project, { mime: ['text/*'], labels: ['letter'] });
        expect(await search()).to.have.members([named]);
        await api.rows(
          `UPDATE object SET labels = '[{"label": "map", "score": 1}]' WHERE id = $1`,
          [source],
        );
        expect(await search()).to.have.members([source, named, redacted]);
        const { json } = await api.call('POST', '/v1/collections', {
          body: { name: 'C', members: [{ resource_type: 'object', resource_id: source }] },
        });
        await scoped({ type: 'collection', ids: [json.id] }, null);
        expect(await search()).to.have.members([named]);
      });
    });
  });
});
