import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { inProject, query } from '../../../src/db/transaction.ts';
import { type ApiResponse, type CallOptions, startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { uploadImage } from '../../support/images.ts';

describe('PATCH /v1/images with a filter', () => {
  let api: TestApi;
  let made = 0;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const edit = (body: object, options: CallOptions = {}): Promise<ApiResponse> =>
    api.call('PATCH', '/v1/images', { ...options, body });
  /** Images with a tag of their own. */
  const upload = async (tag: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < count; at++) {
      made += 1;
      ids.push((await uploadImage(api, `filtered-${made}.png`, [tag])).id);
    }
    return ids;
  };
  const tagsOf = async (id: string): Promise<string[]> =>
    (await api.call('GET', `/v1/images/${id}`)).json.tags;

  it('changes the matching images, which reads show at once', async () => {
    const ids = await upload('sea', 3);
    await upload('lake', 1);
    const patch = { add_tags: ['water'], remove_tags: ['sea'] };
    // As in the query, a text stands for a list.
    const body = { filter: { tag: 'sea' }, expected_count: 3, patch };
    const answer = await edit(body);
    expect([answer.status, answer.json.updated], answer.text).to.deep.equal([200, 3]);
    expect(answer.json.results.map(({ id }: { id: string }) => id)).to.deep.equal([...ids].sort());
    for (const id of ids) expect(await tagsOf(id)).to.deep.equal(['water']);
    const again = await edit({ ...body, expected_count: 0 });
    expect([again.status, again.json]).to.deep.equal([
      200,
      { updated: 0, unchanged: 0, failed: 0, results: [] },
    ]);
  });

  it('changes nothing if the count differs, and returns the actual count', async () => {
    const ids = await upload('counted', 2);
    const body = { filter: { tag: ['counted'] }, expected_count: 3, patch: { tags: [] } };
    const answer = await edit(body);
    expect([answer.status, answer.json.code]).to.deep.equal([409, 'count_changed']);
    expect(answer.json.actual_count).to.equal(2);
    for (const id of ids) expect(await tagsOf(id)).to.deep.equal(['counted']);
    const missing = await edit({ filter: {}, patch: { tags: [] } });
    expect(missing.json.errors).to.deep.include({
      pointer: '/expected_count',
      code: 'required',
      detail: '`expected_count` is required with `filter`.',
    });
  });

  it('changes nothing if an image stops matching while it waits for the lock', async () => {
    const [first, second] = await upload('contested', 2);
    const held = inProject(api.deps.database, api.projectId, async (tx) => {
      await query(
        tx,
        `UPDATE object SET tags = '{}' WHERE project_id = $1
           AND id = (SELECT object_id FROM image WHERE project_id = $1 AND id = $2)`,
        [api.projectId, second],
      );
      const waiting = edit({
        filter: { tag: ['contested'] },
        expected_count: 2,
        patch: { title: 'x' },
      });
      await eventually(async () => {
        const [row] = await api.rows<{ n: number }>(
          `SELECT count(*) AS n FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return row!.n === 1;
      });
      return { waiting };
    });
    const answer = await (await held).waiting;
    expect([answer.status, answer.json.code], answer.text).to.deep.equal([409, 'count_changed']);
    expect(answer.json.actual_count).to.equal(1);
    expect((await api.call('GET', `/v1/images/${first}`)).json.title).to.equal(null);
  });

  it('matches images in the trash only on request, and cannot change them', async () => {
    const [gone, there] = await upload('binned', 2);
    await api.call('DELETE', `/v1/images/${gone}`);
    const patch = { title: 'x' };
    const filter = { tag: ['binned'] };
    expect((await edit({ filter, expected_count: 1, patch })).json.updated).to.equal(1);
    const body = { filter: { ...filter, state: 'trashed' }, expected_count: 1, patch };
    const rejected = await edit(body);
    expect([rejected.status, rejected.json.code]).to.deep.equal([409, 'state_conflict']);
    expect(rejected.json.errors[0].pointer).to.equal('/filter');
    const told = await edit({ ...body, on_error: 'continue' });
    expect([told.status, told.json.failed, told.json.results[0].id]).to.deep.equal([200, 1, gone]);
    expect((await api.call('GET', `/v1/images/${there}`)).json.title).to.equal('x');
  });

  it('accepts the search filters: words and both kinds of collection', async () => {
    const [one, two] = await upload('gathered', 2);
    await edit({ id: one, title: 'Lighthouse at dusk' });
    const make = async (body: object): Promise<string> =>
      (await api.call('POST', '/v1/collections', { body })).json.id;
    const members = [{ resource_type: 'image', resource_id: two }];
    const manual = await make({ name: 'Manual', kind: 'manual', members });
    const smart = await make({ name: 'Smart', kind: 'smart', query: { tag: ['gathered'] } });
    for (const [at, [filter, ids]] of (
      [
        [{ q: 'lighth' }, [one]],
        [{ tag: ['gathered'], q: '-dusk' }, [two]],
        [{ collection_id: manual }, [two]],
        [{ collection_id: smart }, [one, two]],
        [{ collection_id: smart, min_rating: 5 }, []],
        [{ collection_id: newId('collection') }, []],
      ] as const
    ).entries()) {
      const answer = await edit({
        filter,
        expected_count: ids.length,
        patch: { add_tags: [`found-${at}`] },
      });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json.results.map(({ id }: { id: string }) => id)).to.deep.equal(
        [...ids].sort(),
      );
    }
    const filter = { collection_id: manual };
    const theirs = await edit({ filter, expected_count: 0, patch: { tags: [] } }, api.other);
    expect([theirs.status, theirs.json.results]).to.deep.equal([200, []]);
  });

  it('reports faults in a filter and rejects fields of the other forms', async () => {
    const patch = { title: 'x' };
    for (const [body, pointer, code] of [
      [{ filter: { tag: 'a,' }, expected_count: 1, patch }, '/filter/tag', 'empty_tag'],
      [{ filter: { tag: 7 }, expected_count: 1, patch }, '/filter/tag', 'wrong_type'],
      [
        { filter: { mime: 'image/png,x' }, expected_count: 1, patch },
        '/filter/mime/1',
        'not_allowed',
      ],
      [{ filter: { tag: ['a,'] }, expected_count: 1, patch }, '/filter/tag', 'empty_tag'],
      [{ filter: { shade: 'red' }, expected_count: 1, patch }, '/filter/shade', 'unknown_field'],
      [{ filter: { limit: 5 }, expected_count: 1, patch }, '/filter/limit', 'unknown_field'],
      [{ filter: {}, expected_count: -1, patch }, '/expected_count', 'too_small'],
      [{ filter: {}, expected_count: 1 }, '/patch', 'required'],
      [
        { filter: {}, expected_count: 1, patch, ids: [newId('image')] },
        '/filter',
        'conflicting_field',
      ],
    ] as const) {
      const answer = await edit(body);
      expect(answer.status, answer.text).to.equal(422);
      const told = answer.json.errors.map((e: { pointer: string; code: string }) => [
        e.pointer,
        e.code,
      ]);
      expect(told).to.deep.include([pointer, code]);
    }
    const headers = { 'if-match': '"1"' };
    const rejected = await edit({ filter: {}, expected_count: 0, patch }, { headers });
    expect(rejected.status).to.equal(400);
  });

  describe('with thousands of images', () => {
    const count = 5_000;
    /** The image that has no room for another tag, near the end in the order of IDs. */
    let full: string;
    before(async () => {
      await inProject(api.deps.database, api.projectId, async (tx) => {
        const numbers = Array.from({ length: count }, (_, at) => at);
        const objects = numbers.map(() => newId('object'));
        const images = numbers.map(() => newId('image'));
        full = images[count - 10]!;
        await query(
          tx,
          `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind, tags)
           SELECT u.id, $1, 'available', 'many-' || u.n, 'image/png', u.n, md5(u.id), 'upload',
             CASE WHEN u.n = $3 THEN (SELECT array_agg('t' || t) FROM generate_series(1, 99) t) ELSE '{}' END
               || ARRAY['many']
           FROM unnest($2::text[]) WITH ORDINALITY AS u (id, n)`,
          [api.projectId, objects, count - 9],
        );
        await query(
          tx,
          `INSERT INTO image (id, project_id, object_id)
           SELECT u.image, $1, u.object FROM unnest($2::text[], $3::text[]) AS u (image, object)`,
          [api.projectId, images, objects],
        );
      });
    });

    const filter = { tag: ['many'] };
    const facts = async () => {
      const [row] = await api.rows<Record<string, number>>(
        `SELECT (SELECT count(*) FROM object WHERE 'more' = ANY(tags)) AS tagged,
           (SELECT count(*) FROM event WHERE type = 'dam.object.updated') AS objects,
           (SELECT count(*) FROM event WHERE type = 'dam.image.tags_changed') AS images,
           (SELECT sum(version)::integer FROM object) AS versions`,
      );
      return row!;
    };

    it('changes none if one cannot be changed', async () => {
      const before = await facts();
      const answer = await edit({ filter, expected_count: count, patch: { add_tags: ['more'] } });
      expect([answer.status, answer.json.code], answer.text).to.deep.equal([
        422,
        'validation_failed',
      ]);
      expect(answer.json.errors).to.deep.equal([
        {
          pointer: '/patch/add_tags',
          code: 'too_many',
          detail: 'There must be at most 100 tags; there would be 101.',
        },
      ]);
      expect(await facts()).to.deep.equal(before);
    });

    it('changes all but that one with `on_error: continue`, each once', async () => {
      const before = await facts();
      const body = { filter, expected_count: count, patch: { add_tags: ['more'] } };
      const answer = await edit({ ...body, on_error: 'continue' });
      expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
      const { updated, unchanged, failed, results } = answer.json;
      expect([updated, unchanged, failed]).to.deep.equal([count - 1, 0, 1]);
      const ids: string[] = results.map(({ id }: { id: string }) => id);
      expect(ids).to.deep.equal([...ids].sort());
      expect(new Set(ids).size).to.equal(count);
      const bad = results.filter(({ outcome }: { outcome: string }) => outcome === 'failed');
      expect(bad.map(({ id }: { id: string }) => id)).to.deep.equal([full]);
      const after = await facts();
      for (const [fact, rise] of Object.entries({
        tagged: count - 1,
        objects: count - 1,
        images: count - 1,
        versions: count - 1,
      })) {
        expect(after[fact]! - before[fact]!, fact).to.equal(rise);
      }
      const again = await edit({ ...body, on_error: 'continue' });
      expect([again.json.updated, again.json.unchanged]).to.deep.equal([0, count - 1]);
      expect(await facts()).to.deep.equal(after);
    });

    it('changes all in one request', async () => {
      const patch = { tags: ['less'], title: 'All' };
      const answer = await edit({ filter, expected_count: count, patch });
      expect([answer.status, answer.json.updated]).to.deep.equal([200, count]);
      const [row] = await api.rows<{ n: number }>(
        `SELECT count(*) AS n FROM image i JOIN object o ON o.id = i.object_id
         WHERE i.title = 'All' AND o.tags = '{less}'`,
      );
      expect(row!.n).to.equal(count);
    });
  });
});
