import { expect } from 'chai';
import type { Item } from '../../../../packages/portal/library/browse/item.ts';
import {
  type LoadedPage,
  SparseList,
} from '../../../../packages/portal/library/browse/list/sparse-list.ts';

const itemOf = (id: string): Item => ({
  id,
  kind: 'object',
  objectId: id,
  name: id,
  filename: id,
  mime: 'text/plain',
  bytes: 1,
  state: 'available',
  tags: [],
  version: 1,
  processing: false,
  createdAt: '2026-01-01T00:00:00Z',
  pages: null,
  derivedCount: 0,
  isDerived: false,
  pending: false,
  damaged: false,
  picture: null,
  highlights: undefined,
  foundOnPage: null,
});

/** A server with a list of identifiers; a cursor is the last one of a page. */
class Server {
  readonly pageSize = 10;
  requests: string[] = [];
  fails = false;
  apart = 1;
  constructor(public ids: string[]) {}

  isPassing = (): boolean => true;
  problemOf = (error: unknown): string => (error instanceof Error ? error.message : 'other');

  loadPage = async (cursor: string | null): Promise<LoadedPage> => {
    this.requests.push(`after ${cursor ?? 'nothing'}`);
    await Promise.resolve();
    if (this.fails) throw new Error('not reached');
    const from = cursor === null ? 0 : this.ids.findIndex((id) => id > cursor);
    const page = from < 0 ? [] : this.ids.slice(from, from + this.pageSize);
    const hasMore = from >= 0 && from + this.pageSize < this.ids.length;
    return { items: page.map(itemOf), nextCursor: hasMore ? page.at(-1)! : null };
  };

  loadStops = async (): Promise<{ every: number; cursors: string[] }> => {
    this.requests.push('stops');
    await Promise.resolve();
    const every = this.pageSize * this.apart;
    return { every, cursors: this.ids.filter((_, at) => (at + 1) % every === 0) };
  };
}

const named = (at: number): string => `n${String(at).padStart(5, '0')}`;
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => named(at));

describe('the list behind Browse', () => {
  const begin = async (server: Server): Promise<SparseList<string>> => {
    const list = new SparseList<string>(server);
    list.load(0, 1);
    await settled(list);
    server.requests = [];
    return list;
  };
  const settled = async (list: SparseList<string>) => {
    while (list.loading) await new Promise(setImmediate);
  };
  const shown = (list: SparseList<string>, from: number, to: number) =>
    list.items.slice(from, to).map((item) => item?.id);

  it('asks for a far place only, and its neighbours page by page', async () => {
    const server = new Server(many(10_000));
    const list = await begin(server);
    list.load(5_005, 5_025);
    await settled(list);
    expect(server.requests).to.deep.equal([
      'stops',
      `after ${named(4_999)}`,
      `after ${named(5_009)}`,
      `after ${named(5_019)}`,
    ]);
    expect(shown(list, 5_005, 5_008)).to.deep.equal([named(5_005), named(5_006), named(5_007)]);
    expect([list.items.at(100), list.items.indexOf(named(5_020))]).to.deep.equal([
      undefined,
      5_020,
    ]);
    server.requests = [];
    list.load(5_035, 5_036);
    list.load(9_995, 10_000);
    await settled(list);
    expect(server.requests).to.deep.equal([`after ${named(5_029)}`, `after ${named(9_989)}`]);
    expect(list.count).to.equal(10_000);
  });

  it('walks from the stop before where stops are far apart', async () => {
    const server = new Server(many(1_000));
    server.apart = 4;
    const list = await begin(server);
    list.load(555, 556);
    await settled(list);
    expect(server.requests).to.deep.equal([
      'stops',
      ...[519, 529, 539, 549].map((at) => `after ${named(at)}`),
    ]);
    expect(shown(list, 555, 556)).to.deep.equal([named(555)]);
  });

  it('stays bounded however far one scrolls, and reads dropped pages again', async () => {
    const server = new Server(many(20_000));
    const list = await begin(server);
    for (let at = 0; at < 2_000; at += 10) {
      list.load(at, at + 10);
      await settled(list);
    }
    expect(list.items.loaded.length).to.be.within(10, 510);
    expect(server.requests.filter((one) => one === 'stops')).to.deep.equal([]);
    list.load(40, 60);
    await settled(list);
    expect(shown(list, 40, 60)).to.deep.equal(many(60).slice(40));
  });

  it('gives a whole range, also across what is not loaded', async () => {
    const server = new Server(many(900));
    const list = await begin(server);
    list.load(800, 810);
    await settled(list);
    const range = await list.loadRange(3, 807);
    expect(range?.map(({ id }) => id)).to.deep.equal(many(807).slice(3));
  });

  it('closes the gap of what was removed, here and far down, and stays so', async () => {
    const server = new Server(many(500));
    const list = await begin(server);
    const gone = new Set([named(2), named(5)]);
    list.edit((item) => (gone.has(item.id) ? null : item));
    server.ids = server.ids.filter((id) => !gone.has(id));
    expect(shown(list, 0, 4)).to.deep.equal([0, 1, 3, 4].map(named));
    expect(list.removedCount).to.equal(2);
    for (const [from, to] of [
      [6, 30],
      [250, 270],
      [490, 498],
    ] as const) {
      list.load(from, to);
      await settled(list);
      expect(shown(list, from, to), `from ${from}`).to.deep.equal(server.ids.slice(from, to));
    }
    expect([list.count, list.removedCount]).to.deep.equal([498, 0]);
    expect(new Set(list.items.loaded.map(({ id }) => id)).size).to.equal(list.items.loaded.length);
  });

  it('shows nothing twice if the list grew before a far place was read', async () => {
    const server = new Server(many(300));
    const list = await begin(server);
    list.load(10, 20);
    await settled(list);
    server.ids = ['m1', 'm2', 'm3', ...server.ids];
    list.load(55, 60);
    await settled(list);
    list.load(20, 60);
    await settled(list);
    const ids = list.items.loaded.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.deep.equal([...ids].sort());
  });

  it('keeps what is shown while it is read again', async () => {
    const server = new Server(many(400));
    const list = await begin(server);
    list.load(200, 210);
    await settled(list);
    server.ids = ['m1', ...server.ids];
    const seen: (string | undefined)[] = [];
    list.onChange = () => seen.push(list.items.at(205)?.id);
    list.reload();
    await settled(list);
    expect(seen).not.to.include(undefined);
    expect(shown(list, 205, 206)).to.deep.equal([named(204)]);
    expect(list.items.at(20)).to.equal(undefined);
  });

  it('reports a failure, and continues once it is read again', async () => {
    const server = new Server(many(400));
    const list = await begin(server);
    server.fails = true;
    list.load(10, 20);
    await settled(list);
    expect([list.problem, await list.loadRange(10, 12)]).to.deep.equal(['not reached', null]);
    server.fails = false;
    list.reload();
    await settled(list);
    expect([list.problem, shown(list, 10, 11)]).to.deep.equal([undefined, [named(10)]]);
  });

  it('tries again where one scrolls on', async () => {
    const server = new Server(many(400));
    const list = await begin(server);
    server.fails = true;
    list.load(10, 20);
    await settled(list);
    server.fails = false;
    list.load(10, 20);
    await settled(list);
    expect(list.problem).to.equal('not reached');
    list.load(11, 21);
    await settled(list);
    expect([list.problem, shown(list, 20, 21)]).to.deep.equal([undefined, [named(20)]]);
  });

  it('loads what follows if all that was loaded is removed', async () => {
    const server = new Server(many(40));
    const list = await begin(server);
    const gone = new Set(many(10));
    server.ids = server.ids.filter((id) => !gone.has(id));
    list.edit((item) => (gone.has(item.id) ? null : item));
    await settled(list);
    expect(shown(list, 0, 2)).to.deep.equal([10, 11].map(named));
  });

  it('goes on at an end that has grown', async () => {
    const server = new Server(many(700));
    const list = await begin(server);
    list.load(690, 700);
    await settled(list);
    expect(list.count).to.equal(700);
    for (let at = 590; at >= 0; at -= 10) {
      list.load(at, at + 10);
      await settled(list);
    }
    expect(list.items.at(695), 'the last page').to.equal(undefined);
    server.ids = many(720);
    list.load(690, 700);
    await settled(list);
    list.load(710, 720);
    await settled(list);
    expect([list.count, shown(list, 719, 720)]).to.deep.equal([720, [named(719)]]);
  });
});
