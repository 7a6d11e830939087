import { expect } from 'chai';
import { createQueue } from './queue.ts';

describe('the queue of test files', () => {
  const files = ['api/a', 'api/b', 'api/c', 'config', 'portal/a', 'portal/b', 'queues/a'];

  it('hands out each file once', () => {
    const queue = createQueue(files);
    const taken: string[] = [];
    for (let lane = 0, file = queue.take(0); file; lane += 1, file = queue.take(lane % 3)) {
      taken.push(file);
    }
    expect(taken.sort()).to.deep.equal(files);
    expect(queue.take(1)).to.equal(undefined);
  });

  it('keeps a lane in its room, and begins with rooms of long files', () => {
    const queue = createQueue(files);
    expect([0, 1, 0, 1].map((lane) => queue.take(lane))).to.deep.equal([
      'portal/a',
      'api/a',
      'portal/b',
      'api/b',
    ]);
  });

  it('lets a lane help in the room with most files once every room is begun', () => {
    const queue = createQueue(['api/a', 'api/b', 'api/c', 'jobs/a', 'jobs/b']);
    const first = [queue.take(0), queue.take(1)];
    expect([...first, queue.take(2)]).to.deep.equal(['jobs/a', 'api/a', 'api/b']);
  });
});
