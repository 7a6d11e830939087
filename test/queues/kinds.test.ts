import { expect } from 'chai';
import {
  aclLinesOf,
  openRedisKind,
  type RedisKind,
  rejectionOf,
  sufficientRights,
} from '../support/redis-kinds.ts';
import type { RedisNodes } from '../support/redis-nodes.ts';

/** The plainest Redis; deployed-kinds has the others. */
describe('a single Redis', () => {
  let kind: RedisKind;
  let nodes: RedisNodes;
  beforeEach(async () => {
    kind = await openRedisKind();
    nodes = kind.nodes;
  });
  afterEach(() => kind.close());

  it('works as a user with no more rights than documented', async () => {
    const node = await nodes.start(aclLinesOf(`${sufficientRights}`));
    const url = `redis://app:secret@${node.address}`;
    expect(await rejectionOf(url)).to.equal(null);
    await kind.runRounds(url);
    expect(await node.call('ACL', 'LOG')).to.deep.equal([]);
  });
});
