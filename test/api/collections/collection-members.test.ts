import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import {
  createCollectionClient,
  faultsOf,
  imageRef,
  objectRef,
  type ResourceRef,
} from '../../support/collections.ts';
import { eventsOf, type UploadedImage, uploadImage } from '../../support/images.ts';

describe('collection members', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  let images: UploadedImage[];
  let refs: ResourceRef[];
  before(async () => {
    api = await startApi();
    collections = createCollectionClient(api);
    images = [];
    for (let at = 0; at < 6; at++) images.push(await uploadImage(api, `picture-${at}.png`));
    refs = images.map(({ id }) => imageRef(id));
  });
  after(() => api.close());
  const made = (...members: ResourceRef[]): Promise<string> => collections.make({ members });
  const told = (answer: ApiResponse) => [answer.status, answer.json.code];
  /** The order as the numbers of the pictures. */
  const order = async (id: string): Promise<string> =>
    (await collections.memberIds(id))
      .map((member) => images.findIndex((one) => one.id === member || one.objectId === member))
      .join('');
  const count = async (id: string): Promise<number> => (await collections.get(id)).member_count;
  const lastEvents = async (id: string, from: number) =>
    (await eventsOf(api, id)).slice(from).map(({ type, data }) => [type.split('.').at(-1), data]);

  it('are appended, once', async () => {
    const id = await made(refs[0]!);
    const first = await collections.add(id, refs[1]!);
    expect(first.status).to.equal(201);
    expect(first.headers.get('location')).to.equal(
      `/v1/collections/${id}/members/image/${images[1]!.id}`,
    );
    expect(first.json).to.deep.include(refs[1]!);
    const again = await collections.add(id, refs[1]!);
    expect([again.status, again.json]).to.deep.equal([200, first.json]);
    expect([await order(id), await count(id)]).to.deep.equal(['01', 2]);
    expect((await collections.get(id)).version).to.equal(2);
    expect(await lastEvents(id, 2)).to.deep.equal([['added', refs[1]]]);
  });

  it('are neither lost nor doubled by concurrent requests', async () => {
    const id = await made();
    const answers = await Promise.all([...refs, ...refs].map((ref) => collections.add(id, ref)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(6).fill(200), ...Array(6).fill(201)]);
    expect([...(await order(id))].sort().join('')).to.equal('012345');
    expect(await count(id)).to.equal(6);
  });

  it('can be both an image and its object', async () => {
    const id = await made(refs[0]!);
    const answer = await collections.add(id, objectRef(images[0]!.objectId));
    expect(answer.status).to.equal(201);
    expect(await count(id)).to.equal(2);
  });

  it('are rejected if missing, of another kind or in the trash', async () => {
    const id = await made();
    const lost = await uploadImage(api, 'lost.png');
    await api.call('DELETE', `/v1/objects/${lost.objectId}`);
    for (const [ref, status, code, fault] of [
      [imageRef(newId('image')), 422, 'reference_not_found', '/resource_id reference_not_found'],
      [objectRef(newId('object')), 422, 'reference_not_found', '/resource_id reference_not_found'],
      [imageRef(newId('object')), 422, 'id_prefix_mismatch', '/resource_id id_prefix_mismatch'],
      [
        { resource_type: 'video', resource_id: 'x' },
        422,
        'validation_failed',
        '/resource_type not_allowed',
      ],
      [imageRef(lost.id), 409, 'state_conflict', '/resource_id state_conflict'],
      [objectRef(lost.objectId), 409, 'state_conflict', '/resource_id state_conflict'],
    ] as const) {
      const answer = await collections.add(id, ref);
      expect([...told(answer), ...faultsOf(answer)]).to.deep.equal([status, code, fault]);
    }
    expect([await count(id), (await collections.get(id)).version]).to.deep.equal([0, 1]);
  });

  it('are removed, or reported as absent', async () => {
    const id = await made(...refs.slice(0, 3));
    expect((await collections.remove(id, refs[1]!)).status).to.equal(204);
    expect(told(await collections.remove(id, refs[1]!))).to.deep.equal([404, 'member_not_found']);
    expect(told(await collections.remove(id, objectRef(images[0]!.objectId)))).to.deep.equal([
      404,
      'member_not_found',
    ]);
    expect([await order(id), await count(id)]).to.deep.equal(['02', 2]);
    expect(await lastEvents(id, 4)).to.deep.equal([['removed', { ...refs[1], reason: 'removed' }]]);
  });

  it('are returned in pages with the total and resources', async () => {
    const id = await made(refs[2]!, objectRef(images[1]!.objectId), refs[0]!);
    const first = await collections.members(id, '?limit=2&include=total,resource');
    expect(first.json).to.deep.include({ has_more: true, total: 3 });
    expect(first.json.data[0].resource).to.deep.equal(
      (await api.call('GET', `/v1/images/${images[2]!.id}`)).json,
    );
    expect(first.json.data[1].resource).to.deep.equal(
      (await api.call('GET', `/v1/objects/${images[1]!.objectId}`)).json,
    );
    const { next_cursor: cursor } = first.json;
    const second = await collections.members(id, `?limit=2&cursor=${cursor}`);
    expect(second.json.data).to.have.length(1);
    expect(second.json.data[0]).to.not.have.property('resource');
    const other = await made();
    expect(told(await collections.members(other, `?cursor=${cursor}`))).to.deep.equal([
      400,
      'cursor_mismatch',
    ]);
  });

  it('include resources only for keys that may read them', async () => {
    const id = await made(refs[0]!);
    const reader = await api.issue(['collections:read', 'images:read']);
    const path = `/v1/collections/${id}/members`;
    expect((await api.call('GET', path, reader)).status).to.equal(200);
    const answer = await api.call('GET', `${path}?include=resource`, reader);
    expect(told(answer)).to.deep.equal([403, 'insufficient_scope']);
    expect(answer.json.detail).to.include('objects:read');
  });

  describe('in a batch', () => {
    it('are added and removed together, one result per input', async () => {
      const id = await made(refs[0]!, refs[1]!);
      const answer = await collections.batch(id, {
        add: [refs[3], refs[0], refs[2], refs[3]],
        remove: [refs[1]],
      });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json).to.deep.include({ member_count: 3, version: 2 });
      expect(
        answer.json.results.map((one: { action: string; index: number; outcome: string }) =>
          [one.action, one.index, one.outcome].join(' '),
        ),
      ).to.deep.equal([
        'add 0 added',
        'add 1 already_member',
        'add 2 added',
        'add 3 already_member',
        'remove 0 removed',
      ]);
      expect([await order(id), await count(id)]).to.deep.equal(['032', 3]);
      expect(answer.headers.get('etag')).to.equal(`"${(await collections.get(id)).version}"`);
    });

    it('are all rejected if one is invalid, with every fault', async () => {
      const id = await made(refs[0]!);
      const missing = [imageRef(newId('image')), objectRef(newId('object'))];
      const answer = await collections.batch(id, { add: [refs[1], ...missing], remove: [refs[0]] });
      expect(told(answer)).to.deep.equal([422, 'reference_not_found']);
      expect(faultsOf(answer)).to.deep.equal([
        '/add/1/resource_id reference_not_found',
        '/add/2/resource_id reference_not_found',
      ]);
      const absent = await collections.batch(id, { add: [refs[1]], remove: [refs[2]] });
      expect(told(absent)).to.deep.equal([422, 'reference_not_found']);
      expect(faultsOf(absent)).to.deep.equal(['/remove/0/resource_id member_not_found']);
      expect([await order(id), (await collections.get(id)).version]).to.deep.equal(['0', 1]);
    });

    it('apply the valid changes if asked to continue on errors', async () => {
      const id = await made(refs[0]!);
      const lost = await uploadImage(api, 'lost-too.png');
      await api.call('DELETE', `/v1/images/${lost.id}`);
      const answer = await collections.batch(id, {
        add: [imageRef(newId('image')), refs[1], imageRef(lost.id)],
        remove: [refs[2], refs[0]],
        on_error: 'continue',
      });
      expect(answer.status).to.equal(200);
      expect(
        answer.json.results.map((one: { outcome: string; problem: { code: string } | null }) =>
          [one.outcome, one.problem?.code ?? ''].join(' ').trim(),
        ),
      ).to.deep.equal([
        'failed reference_not_found',
        'added',
        'failed state_conflict',
        'failed member_not_found',
        'removed',
      ]);
      expect([await order(id), await count(id)]).to.deep.equal(['1', 1]);
    });

    it('change nothing if all changes are already in effect', async () => {
      const id = await made(refs[0]!);
      const before = await collections.get(id);
      const answer = await collections.batch(id, { add: [refs[0]] });
      expect(answer.json.version).to.equal(before.version);
      expect((await collections.batch(id, {})).json.results).to.deep.equal([]);
      expect(await collections.get(id)).to.deep.equal(before);
    });

    it('are limited in number and cannot be in both lists', async () => {
      const id = await made(refs[0]!);
      const many = (count: number) => Array.from({ length: count }, () => imageRef(newId('image')));
      for (const [body, fault] of [
        [{ add: many(501) }, '/add too_many'],
        [{ add: many(300), remove: many(201) }, ' too_many'],
        [{ add: [refs[0]], remove: [refs[1], refs[0]] }, '/remove/1 conflicting_member'],
      ] as const) {
        const answer = await collections.batch(id, body);
        expect([...told(answer), ...faultsOf(answer)]).to.deep.equal([
          422,
          'validation_failed',
          fault,
        ]);
      }
    });
  });

  describe('in order', () => {
    it('move before and after others, one row and one event each', async () => {
      const id = await made(...refs.slice(0, 5));
      const positions = async () =>
        Object.fromEntries(
          (await collections.members(id)).json.data.map(
            (one: { resource_id: string; position: string }) => [one.resource_id, one.position],
          ),
        );
      for (const [who, body, wanted] of [
        [4, { before: refs[0] }, '40123'],
        [0, { after: refs[3] }, '41230'],
        [2, { before: refs[1] }, '42130'],
        [4, { after: refs[2] }, '24130'],
        [0, { after: refs[1] }, '24103'],
      ] as const) {
        const before = await positions();
        const { version } = await collections.get(id);
        const answer = await collections.move(id, refs[who]!, body);
        expect(answer.status, answer.text).to.equal(200);
        expect(await order(id)).to.equal(wanted);
        const after = await positions();
        expect(after[images[who]!.id]).to.equal(answer.json.position);
        const changed = Object.keys(before).filter((one) => before[one] !== after[one]);
        expect(changed).to.deep.equal([images[who]!.id]);
        expect((await collections.get(id)).version).to.equal(version + 1);
      }
      expect(await lastEvents(id, 6)).to.deep.equal(
        [4, 0, 2, 4, 0].map((who) => ['reordered', refs[who]]),
      );
    });

    it('stay in place if already there', async () => {
      const id = await made(...refs.slice(0, 3));
      const before = (await eventsOf(api, id)).length;
      expect((await collections.move(id, refs[1]!, { after: refs[0] })).status).to.equal(200);
      expect((await collections.move(id, refs[1]!, { before: refs[2] })).status).to.equal(200);
      expect((await collections.get(id)).version).to.equal(1);
      expect(await eventsOf(api, id)).to.have.length(before);
    });

    it('reject an invalid place', async () => {
      const id = await made(refs[0]!, refs[1]!);
      for (const [who, body, wanted] of [
        [2, { before: refs[0] }, [404, 'member_not_found']],
        [
          0,
          { before: refs[2] },
          [422, 'reference_not_found', '/before/resource_id reference_not_found'],
        ],
        [
          0,
          { after: imageRef(newId('image')) },
          [422, 'reference_not_found', '/after/resource_id reference_not_found'],
        ],
        [0, { after: refs[0] }, [422, 'validation_failed', '/after conflicting_member']],
        [
          0,
          { before: refs[1], after: refs[1] },
          [422, 'validation_failed', '/after conflicting_field'],
        ],
        [0, {}, [422, 'validation_failed', ' too_few']],
      ] as const) {
        const answer = await collections.move(id, refs[who]!, body);
        expect([...told(answer), ...faultsOf(answer)]).to.deep.equal(wanted);
      }
    });

    it('are rebalanced when positions grow too long, and cursors continue', async () => {
      const id = await made(...refs);
      const page = await collections.members(id, '?limit=3');
      const stored = () =>
        api.rows<{ epoch: number; longest: number }>(
          `SELECT order_epoch AS epoch, (SELECT max(length(position)) FROM collection_member
             WHERE collection_id = $1) AS longest FROM collection WHERE id = $1`,
          [id],
        );
      // The state after hundreds of moves to one place: hardly any room after the first member.
      await api.rows(
        'UPDATE collection_member SET position = $3 WHERE collection_id = $1 AND resource_id = $2',
        [id, images[1]!.id, `a0${'0'.repeat(97)}1`],
      );
      expect(await order(id)).to.equal('012345');
      for (const [who, wanted] of [
        [5, '051234'],
        [4, '045123'],
        [3, '034512'],
      ] as const) {
        expect((await collections.move(id, refs[who]!, { after: refs[0] })).status).to.equal(200);
        expect(await order(id)).to.equal(wanted);
      }
      const [spread] = await stored();
      expect(spread!.epoch).to.equal(1);
      expect(spread!.longest).to.be.at.most(9);
      // The previous page ended at the third picture; reading continues from its current position.
      const third = page.json.data[2].resource_id;
      const now = await collections.memberIds(id);
      const on = await collections.members(id, `?limit=3&cursor=${page.json.next_cursor}`);
      expect(on.json.data.map((one: { resource_id: string }) => one.resource_id)).to.deep.equal(
        now.slice(now.indexOf(third) + 1).slice(0, 3),
      );
      await collections.remove(id, imageRef(third));
      const ended = await collections.members(id, `?limit=3&cursor=${page.json.next_cursor}`);
      expect(told(ended)).to.deep.equal([410, 'cursor_expired']);
    });
  });

  describe('with a trashed resource', () => {
    it('are hidden while it is in the trash, and return to their places', async () => {
      const lost = await uploadImage(api, 'restless.png');
      const id = await made(refs[0]!, imageRef(lost.id), refs[1]!, objectRef(lost.objectId));
      await collections.patch(id, { cover: lost.id });
      const { version } = await collections.get(id);
      await api.call('DELETE', `/v1/images/${lost.id}`);
      let now = await collections.get(id);
      expect(now).to.deep.include({ member_count: 2, cover: null });
      expect(now.version).to.be.greaterThan(version);
      expect(await order(id)).to.equal('01');
      expect((await collections.members(id, '?include=total')).json.total).to.equal(2);
      expect(
        (await collections.list(`?resource_type=image&resource_id=${lost.id}`)).json.data,
      ).to.deep.equal([]);
      await collections.add(id, refs[2]!);
      await api.call('POST', `/v1/objects/${lost.objectId}/restore`);
      now = await collections.get(id);
      expect(now).to.deep.include({ member_count: 5, cover: lost.id });
      expect(await collections.memberIds(id)).to.deep.equal([
        images[0]!.id,
        lost.id,
        images[1]!.id,
        lost.objectId,
        images[2]!.id,
      ]);
    });

    it('can be removed while hidden, without changing the count', async () => {
      const lost = await uploadImage(api, 'hidden.png');
      const id = await made(refs[0]!, imageRef(lost.id));
      await api.call('DELETE', `/v1/objects/${lost.objectId}`);
      expect((await collections.remove(id, imageRef(lost.id))).status).to.equal(204);
      expect(await count(id)).to.equal(1);
      await api.call('POST', `/v1/objects/${lost.objectId}/restore`);
      expect([await count(id), await order(id)]).to.deep.equal([1, '0']);
    });

    it('are hidden in trashed collections', async () => {
      const lost = await uploadImage(api, 'both.png');
      const id = await made(refs[0]!, imageRef(lost.id));
      await collections.trash(id);
      await api.call('DELETE', `/v1/objects/${lost.objectId}`);
      await collections.restore(id);
      expect(await count(id)).to.equal(1);
      await api.call('POST', `/v1/objects/${lost.objectId}/restore`);
      expect(await count(id)).to.equal(2);
    });

    it('cannot become the cover', async () => {
      const lost = await uploadImage(api, 'cover.png');
      const id = await made();
      await api.call('DELETE', `/v1/objects/${lost.objectId}`);
      const answer = await collections.patch(id, { cover: lost.id });
      expect([...told(answer), ...faultsOf(answer)]).to.deep.equal([
        409,
        'state_conflict',
        '/cover state_conflict',
      ]);
    });
  });

  describe('looked up in reverse', () => {
    it('return the collections that contain a resource', async () => {
      const both = await uploadImage(api, 'held.png');
      const ofImage = await made(imageRef(both.id));
      const ofObject = await made(objectRef(both.objectId));
      const trashed = await made(imageRef(both.id));
      await collections.trash(trashed);
      const ids = (answer: ApiResponse) => answer.json.data.map((one: { id: string }) => one.id);
      const list = (ref: ResourceRef, more = '') =>
        collections.list(
          `?resource_type=${ref.resource_type}&resource_id=${ref.resource_id}${more}`,
        );
      expect(ids(await list(imageRef(both.id)))).to.deep.equal([ofImage]);
      expect(ids(await list(objectRef(both.objectId)))).to.deep.equal([ofObject]);
      expect(ids(await list(imageRef(both.id), '&state=trashed'))).to.deep.equal([trashed]);
      const path = `/v1/objects/${both.objectId}/collections?include=total&limit=1`;
      const first = await api.call('GET', path);
      expect([ids(first), first.json.total]).to.deep.equal([[ofObject], 2]);
      const second = await api.call('GET', `${path}&cursor=${first.json.next_cursor}`);
      expect(ids(second)).to.deep.equal([ofImage]);
      expect(ids(await api.call('GET', `/v1/images/${both.id}/collections`))).to.deep.equal([
        ofImage,
      ]);
      expect(ids(await list(imageRef(newId('image'))))).to.deep.equal([]);
    });
  });
});
