import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { filePart, formField, multipartForm, postForm, postRaw } from '../../support/uploads.ts';

describe('objects', () => {
  let api: TestApi;
  let names = 0;
  const upload = async (name = `file-${++names}.txt`, ...fields: Buffer[]) => {
    const { status, json } = await postForm(
      api,
      multipartForm(filePart(`of ${name}`, name), ...fields),
    );
    expect(status).to.equal(201);
    return json;
  };
  const eventsOf = (id: string) =>
    api.rows<{ type: string; data: object; actor_id: string; request_id: string }>(
      'SELECT type, data, actor_id, request_id FROM event WHERE resource_id = $1 ORDER BY ordinal OFFSET 2',
      [id],
    );

  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  describe('with GET', () => {
    it('return the same as the upload, with an ETag, and 304 if current', async () => {
      const { deduplicated, warnings, image_id, ...object } = await upload();
      expect([deduplicated, warnings, image_id]).to.deep.equal([false, [], null]);
      const found = await api.call('GET', `/v1/objects/${object.id}`);
      expect([found.status, found.json]).to.deep.equal([200, object]);
      expect(found.headers.get('etag')).to.equal('"1"');
      const headers = { 'if-none-match': '"1"' };
      const known = await api.call('GET', `/v1/objects/${object.id}`, { headers });
      expect([known.status, known.text]).to.deep.equal([304, '']);
      expect((await api.call('HEAD', `/v1/objects/${object.id}`)).status).to.equal(200);
    });

    it('return 404 for another project, as for a missing object', async () => {
      const { id } = await upload();
      const absent = newId('object');
      for (const [method, suffix, body] of [
        ['GET', ''],
        ['HEAD', ''],
        ['PATCH', '', { tags: [] }],
        ['DELETE', ''],
        ['POST', '/restore'],
        ['GET', '/content'],
      ] as const) {
        const headers = { 'x-request-id': 'same' };
        const call = (which: string) =>
          api.call(method, `/v1/objects/${which}${suffix}`, { ...api.other, headers, body });
        const [foreign, none] = [await call(id), await call(absent)];
        expect(foreign.status, method + suffix).to.equal(404);
        expect(foreign.text.replaceAll(id, absent), method + suffix).to.equal(none.text);
        const names = (answer: typeof none) =>
          [...answer.headers].filter(([name]) => name !== 'date' && name !== 'ratelimit');
        expect(names(foreign)).to.deep.equal(names(none));
      }
      const list = await api.call('GET', '/v1/objects?include=total', { ...api.other });
      expect([list.json.data, list.json.total]).to.deep.equal([[], 0]);
      expect((await api.call('GET', `/v1/objects/${id}`)).json.state).to.equal('available');
    });

    it('return 404 for an invalid ID', async () => {
      for (const id of ['obj_', 'job_01jd00000000000000000000aa', '..%2f', 'OBJ_01', '%00']) {
        const { status, json } = await api.call('GET', `/v1/objects/${id}`);
        expect([status, json.code], id).to.deep.equal([404, 'not_found']);
      }
    });
  });

  describe('with PATCH', () => {
    const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
      api.call('PATCH', `/v1/objects/${id}`, { body, headers });

    it('replace tags, merge metadata, clean the name, and report the changes', async () => {
      const { id } = await upload('old.txt', formField('metadata', '{"a":1,"b":{"c":2,"d":3}}'));
      const headers = { 'x-request-id': 'patch-1', 'content-type': 'application/merge-patch+json' };
      const { status, json } = await patch(
        id,
        {
          filename: '../new.txt',
          tags: ['b', 'a', 'b'],
          metadata: { a: null, b: { c: null, e: 4 } },
        },
        headers,
      );
      expect(status).to.equal(200);
      expect(json).to.deep.include({
        filename: 'new.txt',
        tags: ['b', 'a'],
        metadata: { b: { d: 3, e: 4 } },
        version: 2,
      });
      expect(await eventsOf(id)).to.deep.equal([
        {
          type: 'dam.object.updated',
          data: { changed: ['filename', 'tags', 'metadata'] },
          actor_id: api.keyId,
          request_id: 'patch-1',
        },
      ]);
      const cleared = await patch(id, { tags: null, metadata: null });
      expect([cleared.json.tags, cleared.json.metadata]).to.deep.equal([[], {}]);
    });

    it('record nothing and keep the version if nothing changes', async () => {
      const { id, filename } = await upload(
        undefined,
        formField('tags', 'x'),
        formField('metadata', '{"a":{"b":1}}'),
      );
      for (const body of [
        {},
        { filename, tags: ['x'], metadata: { a: { b: 1 } } },
        { metadata: { absent: null } },
        { tags: [' x ', 'x'] },
      ]) {
        const { status, json } = await patch(id, body);
        expect([status, json.version], JSON.stringify(body)).to.deep.equal([200, 1]);
      }
      expect(await eventsOf(id)).to.deep.equal([]);
    });

    it('lose neither of two concurrent updates', async () => {
      const { id } = await upload();
      await Promise.all(
        Array.from({ length: 8 }, (_, at) => patch(id, { metadata: { [`k${at}`]: at } })),
      );
      const { json } = await api.call('GET', `/v1/objects/${id}`);
      expect(Object.keys(json.metadata)).to.have.length(8);
      expect(json.version).to.equal(9);
    });

    it('honour If-Match', async () => {
      const { id } = await upload();
      expect((await patch(id, { tags: ['a'] }, { 'if-match': '"1"' })).status).to.equal(200);
      const late = await patch(id, { tags: ['b'] }, { 'if-match': '"1"' });
      expect([late.status, late.json.code]).to.deep.equal([412, 'etag_mismatch']);
      expect(late.json.detail).to.include('has changed since you read it');
    });

    it('say that a weak ETag never matches in If-Match', async () => {
      const { id } = await upload();
      for (const tag of ['W/"1"', '"7", W/"1"']) {
        const weak = await patch(id, { tags: ['a'] }, { 'if-match': tag });
        expect([weak.status, weak.json.code]).to.deep.equal([412, 'etag_mismatch']);
        expect(weak.json.detail).to.include('never matches');
      }
      const both = await patch(id, { tags: ['a'] }, { 'if-match': 'W/"1", "1"' });
      expect(both.status).to.equal(200);
    });

    it('reject invalid values with all faults at once, and change nothing', async () => {
      const { id } = await upload();
      const { status, json } = await patch(id, {
        filename: '///',
        tags: ['ok', '   '],
        metadata: { a: 'x'.repeat(20_000) },
      });
      expect(status).to.equal(422);
      const told = json.errors.map((fault: { pointer: string; code: string }) => [
        fault.pointer,
        fault.code,
      ]);
      expect(told).to.have.deep.members([
        ['/filename', 'wrong_format'],
        ['/tags/1', 'too_short'],
        ['/metadata', 'too_large'],
      ]);
      for (const body of [
        { id: 'obj_01jd00000000000000000000aa' },
        { state: 'available' },
        { sha256: '' },
        { tags: 'a' },
        { tags: [1] },
        { metadata: [] },
        { metadata: 'a' },
        { filename: null },
        { filename: '' },
        { filename: 'a\0' },
        JSON.parse('{"metadata":{"__proto__":{"a":1}}}'),
      ]) {
        expect((await patch(id, body)).status, JSON.stringify(body)).to.equal(422);
      }
      expect((await api.call('GET', `/v1/objects/${id}`)).json.version).to.equal(1);
    });

    it('accept metadata patches up to the size limit', async () => {
      const { id } = await upload();
      const half = 'x'.repeat(9_000);
      expect((await patch(id, { metadata: { a: half } })).status).to.equal(200);
      expect((await patch(id, { metadata: { b: half } })).json.errors[0].code).to.equal(
        'too_large',
      );
      expect((await patch(id, { metadata: { a: null, b: half } })).status).to.equal(200);
    });
  });

  it('list the jobs of which they are the source, in pages, unless in the trash', async () => {
    const { id } = await postRaw(api, '%PDF-1.7 with jobs', 'jobs.pdf').then(({ json }) => json);
    const jobs: string[] = [];
    for (const _ of [1, 2, 3]) {
      const body = { source_object_id: id };
      jobs.unshift((await api.call('POST', '/v1/documents/ocr', { body })).json.id);
    }
    const path = `/v1/objects/${id}/jobs`;
    const first = await api.call('GET', `${path}?limit=2&include=total&state=queued`);
    expect([first.status, first.json.total]).to.deep.equal([200, 3]);
    const rest = await api.call(
      'GET',
      `${path}?limit=2&state=queued&cursor=${first.json.next_cursor}`,
    );
    const listed = [...first.json.data, ...rest.json.data].map((job: { id: string }) => job.id);
    expect(listed).to.deep.equal(jobs);
    expect((await api.call('GET', `${path}?state=failed`)).json.data).to.deep.equal([]);
    const reader = await api.issue(['objects:read']);
    expect((await api.call('GET', path, reader)).status).to.equal(403);
    await api.call('DELETE', `/v1/objects/${id}`);
    expect((await api.call('GET', path)).json.code).to.equal('state_conflict');
    const body = { source_object_id: id };
    const rejected = await api.call('POST', '/v1/documents/ocr', { body });
    expect(rejected.json.code).to.equal('state_conflict');
  });

  describe('in the trash', () => {
    it('include outputs on request, at any depth', async () => {
      const [source, made, further, other] = [
        await upload(),
        await upload(),
        await upload(),
        await upload(),
      ];
      for (const [output, from] of [
        [made, source],
        [further, made],
        [other, source],
      ]) {
        await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [output.id, from.id]);
      }
      await api.rows(`UPDATE object SET state = 'trashed', trashed_at = now() WHERE id = $1`, [
        other.id,
      ]);
      const answer = await api.call('DELETE', `/v1/objects/${source.id}?cascade=outputs`);
      expect(answer.status).to.equal(204);
      for (const { id } of [source, made, further]) {
        expect((await api.call('GET', `/v1/objects/${id}`)).json.state).to.equal('trashed');
        expect((await eventsOf(id)).map(({ type }) => type)).to.deep.equal(['dam.object.trashed']);
      }
      expect(await eventsOf(other.id)).to.deep.equal([]);
    });

    it('leave outputs in place by default', async () => {
      const [source, made] = [await upload(), await upload()];
      await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [made.id, source.id]);
      await api.call('DELETE', `/v1/objects/${source.id}`);
      expect((await api.call('GET', `/v1/objects/${made.id}`)).json.state).to.equal('available');
    });

    it('are deleted at once if they were rejected or failed', async () => {
      for (const state of ['rejected', 'failed']) {
        const { id } = await upload();
        await api.rows('UPDATE object SET state = $2 WHERE id = $1', [id, state]);
        expect((await api.call('DELETE', `/v1/objects/${id}`)).status).to.equal(204);
        expect((await api.call('GET', `/v1/objects/${id}`)).status).to.equal(404);
        const [event] = await eventsOf(id);
        expect(event).to.deep.include({ type: 'dam.object.purged', data: { outputs: [] } });
      }
    });

    it('are hidden from lists, uses and changes, and can be restored', async () => {
      const object = await upload();
      const path = `/v1/objects/${object.id}`;
      const gone = await api.call('DELETE', path);
      expect([gone.status, gone.text]).to.deep.equal([204, '']);
      const found = await api.call('GET', path);
      expect([found.status, found.json.state, found.json.version]).to.deep.equal([
        200,
        'trashed',
        2,
      ]);
      for (const [method, suffix, body] of [
        ['GET', '/content'],
        ['PATCH', '', { tags: ['a'] }],
      ] as const) {
        const answer = await api.call(method, path + suffix, { body });
        expect([answer.status, answer.json.code], suffix).to.deep.equal([409, 'state_conflict']);
      }
      const ids = async (query: string) =>
        (await api.call('GET', `/v1/objects?limit=200${query}`)).json.data.map(
          (one: { id: string }) => one.id,
        );
      expect(await ids('')).not.to.include(object.id);
      expect(await ids('&state=available')).not.to.include(object.id);
      expect(await ids('&state=trashed')).to.include(object.id);

      const back = await api.call('POST', `${path}/restore`);
      expect([back.status, back.json.state, back.json.version]).to.deep.equal([
        200,
        'available',
        3,
      ]);
      expect(back.headers.get('etag')).to.equal('"3"');
      expect(await ids('')).to.include(object.id);
      const content = await api.call('GET', `${path}/content`);
      expect([content.status, content.text]).to.deep.equal([200, `of ${object.filename}`]);
      const again = await api.call('POST', `${path}/restore`);
      expect([again.status, again.json.code]).to.deep.equal([409, 'state_conflict']);
      const types = (await eventsOf(object.id)).map(({ type }) => type);
      expect(types).to.deep.equal(['dam.object.trashed', 'dam.object.restored']);
    });

    it('are trashed idempotently, and purged after 30 days', async () => {
      const { id } = await upload();
      for (const _ of [1, 2]) {
        expect((await api.call('DELETE', `/v1/objects/${id}`)).status).to.equal(204);
      }
      expect(await eventsOf(id)).to.have.length(1);
      const tasks = await api.rows<{ kind: string; payload: object; exact: boolean }>(
        `SELECT t.kind, t.payload, t.due_at = o.trashed_at + interval '30 days' AS exact
         FROM task t JOIN object o ON o.id = t.resource_id
         WHERE o.id = $1 AND t.kind <> 'object.read'`,
        [id],
      );
      expect(tasks).to.deep.equal([
        { kind: 'object.purge', payload: { object_id: id }, exact: true },
      ]);
    });

    it('accept one of two concurrent requests', async () => {
      const { id } = await upload();
      await Promise.all([1, 2, 3].map(() => api.call('DELETE', `/v1/objects/${id}`)));
      expect(await eventsOf(id)).to.have.length(1);
      const restored = await Promise.all(
        [1, 2, 3].map(() => api.call('POST', `/v1/objects/${id}/restore`)),
      );
      expect(restored.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409]);
    });

    it('require the write scope', async () => {
      const { id } = await upload();
      const reader = await api.issue(['objects:read']);
      for (const [method, suffix] of [
        ['DELETE', ''],
        ['PATCH', ''],
        ['POST', '/restore'],
        ['GET', '/content'],
      ] as const) {
        const body = method === 'PATCH' ? {} : undefined;
        const answer = await api.call(method, `/v1/objects/${id}${suffix}`, { ...reader, body });
        expect([answer.status, answer.json.code]).to.deep.equal([403, 'insufficient_scope']);
      }
    });
  });

  describe('listed', () => {
    let library: TestApi;
    const list = async (query: string) => {
      const answer = await library.call('GET', `/v1/objects?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    };
    const namesOf = (page: { data: { filename: string }[] }) =>
      page.data.map(({ filename }) => filename);
    /** All names in a list, page by page. */
    const walk = async (query: string, between: () => Promise<void> = async () => undefined) => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: { filename: string }[]; next_cursor: string | null } = await list(
          query + (cursor ? `&cursor=${cursor}` : ''),
        );
        found.push(...namesOf(page));
        cursor = page.next_cursor;
        await between();
      } while (cursor);
      return found;
    };

    before(async () => {
      library = await startApi();
      const files: [name: string, body: string, tags: string[]][] = [
        ['b.txt', 'bb', ['red', 'draft']],
        ['a.pdf', '%PDF-1.7 a', ['red']],
        ['c.html', '<!DOCTYPE html><p>', ['blue']],
        ['a.png', '\x89PNG\r\n\x1a\n..', ['blue', 'draft']],
        ['d.txt', 'dd', []],
        ['e.txt', 'ee', ['one,two', '-dash', 'back\\slash']],
      ];
      for (const [name, body, tags] of files) {
        const parts = [filePart(Buffer.from(body, 'latin1'), name)];
        const made = await postForm(
          library,
          multipartForm(...parts, formField('tags', JSON.stringify(tags))),
        );
        expect(made.status).to.equal(201);
      }
    });
    after(() => library.close());

    for (const [query, expected] of [
      ['', 'e.txt d.txt a.png c.html a.pdf b.txt'],
      ['sort=created_at', 'b.txt a.pdf c.html a.png d.txt e.txt'],
      ['sort=filename', 'a.pdf a.png b.txt c.html d.txt e.txt'],
      ['sort=-filename', 'e.txt d.txt c.html b.txt a.png a.pdf'],
      ['sort=bytes', 'b.txt d.txt e.txt a.pdf a.png c.html'],
      ['sort=-bytes', 'c.html a.png a.pdf e.txt d.txt b.txt'],
      ['mime=image/png', 'a.png'],
      ['mime=image/*', 'a.png'],
      ['mime=IMAGE/*,application/pdf', 'a.png a.pdf'],
      ['mime=text/*&sort=filename', 'b.txt c.html d.txt e.txt'],
      ['mime=video/mp4', ''],
      ['tag=red', 'a.pdf b.txt'],
      ['tag=red&tag=draft', 'b.txt'],
      ['tag=red,blue', 'a.png c.html a.pdf b.txt'],
      ['tag=red,blue&tag=-draft', 'c.html a.pdf'],
      ['tag=-red,blue', 'e.txt d.txt'],
      ['tag=one%5C,two', 'e.txt'],
      ['tag=%5C-dash', 'e.txt'],
      ['tag=-%5C-dash&sort=filename', 'a.pdf a.png b.txt c.html d.txt'],
      ['tag=back%5C%5Cslash', 'e.txt'],
      ['tag=%EF%BD%92ed', 'a.pdf b.txt'],
      ['tag=RED', 'a.pdf b.txt'],
      ['tag=-RED,Blue', 'e.txt d.txt'],
      ['state=processing', ''],
      ['created_after=2020-01-01T00:00:00Z&created_before=2020-01-02T00:00:00Z', ''],
      ['created_after=0001-01-01T00:00:00%2B14:59&sort=filename&limit=1', 'a.pdf'],
      ['created_before=9999-12-31T23:59:59.999999999-14:59&sort=filename&limit=1', 'a.pdf'],
    ] as const) {
      it(`with ?${query} are ${expected || 'empty'}`, async () => {
        expect(namesOf(await list(query)).join(' ')).to.equal(expected);
      });
    }

    it('are those with the identifiers that are asked for, of this project', async () => {
      const [newest, second] = (await list('')).data;
      const foreign = await postForm(api, multipartForm(filePart('of another', 'z.txt')));
      const ids = [newest.id, second.id, foreign.json.id].join();
      const { data, total } = await list(`id=${ids}&include=total`);
      expect([namesOf({ data }), total]).to.deep.equal([['e.txt', 'd.txt'], 2]);
      expect(namesOf(await list(`id=${second.id}&mime=image/*`))).to.deep.equal([]);
    });

    it('are filtered by the time between two objects', async () => {
      const { data } = await list('sort=created_at');
      const edge = data[2].created_at;
      const before = (await list(`created_before=${edge}`)).data;
      expect(before.every((one: { created_at: string }) => one.created_at < edge)).to.equal(true);
      const after = (await list(`created_after=${edge}`)).data;
      expect(after.every((one: { created_at: string }) => one.created_at >= edge)).to.equal(true);
      expect(before.length + after.length).to.be.within(5, 6);
    });

    it('are paged in every sort order, with Link and the total', async () => {
      for (const sort of [
        'created_at',
        '-created_at',
        'filename',
        '-filename',
        'bytes',
        '-bytes',
      ]) {
        const whole = namesOf(await list(`sort=${sort}`));
        for (const limit of [1, 2, 3]) {
          expect(await walk(`sort=${sort}&limit=${limit}`), `${sort} ${limit}`).to.deep.equal(
            whole,
          );
        }
      }
      const first = await library.call('GET', '/v1/objects?limit=2&tag=-red&include=total');
      expect(first.json).to.include({ has_more: true, total: 4 });
      const link = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1];
      const second = await library.call('GET', link!);
      expect(namesOf(second.json)).to.deep.equal(['a.png', 'c.html']);
      expect(second.json).to.include({ has_more: false, next_cursor: null, total: 4 });
      expect((await list('limit=1')).total).to.equal(null);
    });

    it('are neither repeated nor skipped while others are added and removed', async () => {
      const whole = namesOf(await list(''));
      let added = 0;
      const seen = await walk('limit=1', async () => {
        const { json } = await postRaw(library, `new ${++added}`, `new-${added}.txt`);
        if (added % 2) await library.call('DELETE', `/v1/objects/${json.id}`);
      });
      expect(seen).to.deep.equal(whole);
      await library.rows(`DELETE FROM object WHERE filename LIKE 'new-%'`);
    });

    it('are paged even within one microsecond', async () => {
      await library.rows(`UPDATE object SET created_at = '2026-01-01T00:00:00.123456Z'`);
      const whole = namesOf(await list('sort=created_at'));
      expect(whole).to.have.length(6);
      expect(await walk('sort=created_at&limit=1')).to.deep.equal(whole);
      expect(await walk('sort=-created_at&limit=4')).to.deep.equal(whole.toReversed());
    });

    for (const [query, code] of [
      ['tag=', 'invalid_parameter'],
      ['tag=-', 'invalid_parameter'],
      ['tag=a,,b', 'invalid_parameter'],
      ['mime=image', 'invalid_parameter'],
      ["mime=image/'", 'invalid_parameter'],
      ['sort=sha256', 'invalid_parameter'],
      ['sort=', 'invalid_parameter'],
      ['state=purged', 'invalid_parameter'],
      ['created_after=yesterday', 'invalid_parameter'],
      ['created_after=2026-13-01T00:00:00Z', 'invalid_parameter'],
      ['limit=0', 'invalid_parameter'],
      ['cursor=abc', 'cursor_invalid'],
      ['offset=5', 'unknown_parameter'],
    ] as const) {
      it(`with ?${query} return 400 ${code}`, async () => {
        const { status, json } = await library.call('GET', `/v1/objects?${query}`);
        expect([status, json.code]).to.deep.equal([400, code]);
      });
    }

    it('reject a cursor of other filters', async () => {
      const { next_cursor: cursor } = await list('limit=1');
      for (const query of ['sort=filename', 'tag=red']) {
        const { status, json } = await library.call('GET', `/v1/objects?${query}&cursor=${cursor}`);
        expect([status, json.code]).to.deep.equal([400, 'cursor_mismatch']);
      }
    });
  });
});
