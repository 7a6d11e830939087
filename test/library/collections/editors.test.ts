import { expect } from 'chai';
import { type ApiResponse, startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { imageRef, objectRef, type ResourceRef } from '../../support/collections.ts';
import { type UploadedImage, uploadImage } from '../../support/images.ts';
import { createPick } from '../../support/random.ts';

const editors = 50;
const rounds = 12;
/** The first images are trashed and restored while they are added to collections. */
const restless = 5;

describe('fifty concurrent editors of a few collections', () => {
  let api: TestApi;
  let tenant: Tenant;
  let images: UploadedImage[];
  let own: UploadedImage[];
  let shelves: string[];
  let nodes: string[];
  /** The number of responses by request and status. */
  const answers = new Map<string, number>();
  /** Members that only this editor changes, and whether each was last added or removed. */
  const mine = new Map<string, boolean>();

  before(async () => {
    api = await startApi();
    tenant = await api.issue(['*'], { read: 1_000_000, write: 1_000_000 });
    images = [];
    own = [];
    for (let at = 0; at < 16; at++) images.push(await uploadImage(api, `shared-${at}.png`));
    for (let at = 0; at < editors; at++) own.push(await uploadImage(api, `own-${at}.png`));
    const make = async (name: string, parentId: string | null): Promise<string> =>
      (await api.call('POST', '/v1/collections', { body: { name, parent_id: parentId } })).json.id;
    shelves = [];
    for (let at = 0; at < 3; at++) shelves.push(await make(`shelf ${at}`, null));
    // Two branches of six, so that half of all moves from one below the other are too deep.
    nodes = [];
    for (let at = 0; at < 12; at++)
      nodes.push(await make(`node ${at}`, at % 6 ? nodes.at(-1)! : null));
  });
  after(() => api.close());

  const call = async (
    method: string,
    path: string,
    body: object | undefined,
    allowed: number[],
  ): Promise<ApiResponse> => {
    const answer = await api.call(method, path, { ...tenant, body });
    const what = `${method} ${path.replaceAll(/(col|img|obj)_\w+/g, '{$1}')} ${answer.status}`;
    answers.set(what, (answers.get(what) ?? 0) + 1);
    expect(allowed, `${what} ${answer.text}`).to.include(answer.status);
    return answer;
  };

  async function edit(editor: number, round: number, pick: (below: number) => number) {
    const shelf = shelves[pick(shelves.length)]!;
    const some = (): ResourceRef => {
      const { id, objectId } = images[pick(images.length)]!;
      return pick(4) === 0 ? objectRef(objectId) : imageRef(id);
    };
    const members = `/v1/collections/${shelf}/members`;
    const path = (ref: ResourceRef): string => `${members}/${ref.resource_type}/${ref.resource_id}`;
    if (round % 4 === 3) {
      const ref = imageRef(own[editor]!.id);
      const key = `${shelf} ${ref.resource_id}`;
      if (mine.get(key)) await call('DELETE', path(ref), undefined, [204]);
      else await call('POST', members, ref, [201]);
      mine.set(key, !mine.get(key));
      return;
    }
    const node = nodes[pick(nodes.length)]!;
    const { id, objectId } = images[pick(restless)]!;
    switch (pick(9)) {
      case 0:
      case 1:
        // 409: it is in the trash.
        await call('POST', members, some(), [200, 201, 409]);
        return;
      case 2:
        await call('DELETE', path(some()), undefined, [204, 404]);
        return;
      case 3:
        await call(
          'PATCH',
          path(some()),
          { [pick(2) ? 'before' : 'after']: some() },
          [200, 404, 422],
        );
        return;
      case 4: {
        const refs = [
          ...new Map(
            [some(), some(), some(), some()].map((ref) => [ref.resource_id, ref]),
          ).values(),
        ];
        const body = { add: refs.slice(0, 2), remove: refs.slice(2), on_error: 'continue' };
        await call('POST', `${members}/batch`, body, [200]);
        return;
      }
      case 5:
      case 6: {
        // 409: below itself, too deep, or one of the two is in the trash.
        const parentId = pick(4) === 0 ? null : nodes[pick(nodes.length)]!;
        await call('PATCH', `/v1/collections/${node}`, { parent_id: parentId }, [200, 409]);
        return;
      }
      case 7:
        if (pick(2)) await call('DELETE', `/v1/collections/${node}`, undefined, [204]);
        else await call('POST', `/v1/collections/${node}/restore`, undefined, [200, 409]);
        return;
      default:
        if (pick(2)) await call('DELETE', `/v1/images/${id}`, undefined, [204]);
        else await call('POST', `/v1/objects/${objectId}/restore`, undefined, [200, 409]);
    }
  }

  it('get a documented response to every request', async () => {
    await Promise.all(
      Array.from({ length: editors }, async (_, editor) => {
        const pick = createPick(editor + 1);
        for (let round = 0; round < rounds; round++) await edit(editor, round, pick);
      }),
    );
    const of = (what: string): number => answers.get(what) ?? 0;
    for (const what of [
      'POST /v1/collections/{col}/members 201',
      'DELETE /v1/collections/{col}/members/image/{img} 204',
      'PATCH /v1/collections/{col}/members/image/{img} 200',
      'POST /v1/collections/{col}/members/batch 200',
      'PATCH /v1/collections/{col} 200',
      'PATCH /v1/collections/{col} 409',
      'DELETE /v1/collections/{col} 204',
      'DELETE /v1/images/{img} 204',
      'POST /v1/objects/{obj}/restore 200',
    ]) {
      expect(of(what), `${what}: ${JSON.stringify([...answers])}`).to.be.greaterThan(0);
    }
    const [database] = await api.rows<{ deadlocks: string }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(Number(database!.deadlocks), 'not even one that was tried again').to.equal(0);
  });

  it('lose no member that was not removed', async () => {
    for (const [key, held] of mine) {
      const [shelf, id] = key.split(' ');
      const found = await api.rows(
        'SELECT FROM collection_member WHERE collection_id = $1 AND resource_id = $2',
        [shelf, id],
      );
      expect(found, key).to.have.length(held ? 1 : 0);
    }
    expect([...mine.values()].filter(Boolean)).to.have.length.greaterThan(10);
  });

  it('leave correct counts and hide members in the trash', async () => {
    const wrong = await api.rows(
      `SELECT c.id, c.member_count, count(m.resource_id) FROM collection c
       LEFT JOIN collection_member m ON m.collection_id = c.id AND NOT m.hidden
       GROUP BY c.id, c.member_count HAVING c.member_count <> count(m.resource_id)`,
    );
    expect(wrong).to.deep.equal([]);
    const hidden = await api.rows(
      `SELECT m.resource_id FROM collection_member m
       LEFT JOIN image i ON i.id = m.resource_id
       JOIN object o ON o.id = coalesce(i.object_id, m.resource_id)
       WHERE m.hidden <> (o.state = 'trashed')`,
    );
    expect(hidden).to.deep.equal([]);
  });

  it('leave an order in which each member occurs once', async () => {
    for (const shelf of shelves) {
      const { data, total } = (
        await api.call('GET', `/v1/collections/${shelf}/members?limit=200&include=total`)
      ).json;
      const keys = data.map((one: ResourceRef) => `${one.resource_type} ${one.resource_id}`);
      expect(new Set(keys).size).to.equal(keys.length);
      expect(keys.length).to.equal(total);
    }
    const twice = await api.rows(
      `SELECT collection_id, position FROM collection_member
       GROUP BY 1, 2 HAVING count(*) > 1`,
    );
    expect(twice).to.deep.equal([]);
  });

  it('leave a tree without cycles, excess levels or live collections in trashed ones', async () => {
    const rows = await api.rows<{ id: string; parent_id: string | null; state: string }>(
      'SELECT id, parent_id, state FROM collection',
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) {
      let depth = 1;
      for (let up = row; up.parent_id !== null; depth++) {
        const parent = byId.get(up.parent_id)!;
        if (up.state === 'available') expect(parent.state).to.equal('available');
        expect(depth, 'a circle').to.be.at.most(rows.length);
        up = parent;
      }
      if (row.state === 'available') expect(depth).to.be.at.most(8);
    }
  });

  it('leave events that add up to the final memberships', async () => {
    const wrong = await api.rows(
      `WITH said AS (
         SELECT resource_id AS collection_id, data->>'resource_id' AS member,
           sum(CASE type WHEN 'dam.collection_member.added' THEN 1 ELSE -1 END) AS times
         FROM event WHERE type IN ('dam.collection_member.added', 'dam.collection_member.removed')
         GROUP BY 1, 2)
       SELECT s.* FROM said s LEFT JOIN collection_member m
         ON m.collection_id = s.collection_id AND m.resource_id = s.member
       WHERE s.times <> (m.resource_id IS NOT NULL)::integer`,
    );
    expect(wrong).to.deep.equal([]);
  });
});
