import { expect } from 'chai';
import { createTally } from '../../src/db/tally.ts';
import { createLogger } from '../../src/logger.ts';
import { eventually } from '../support/eventually.ts';
import { type Ground, openGround } from '../support/outbox.ts';

describe('tallies', () => {
  let ground: Ground;
  before(async () => {
    ground = await openGround();
  });
  after(() => ground.close());

  it('keep what one project cannot store, and hold up no other project', async () => {
    const stored: string[] = [];
    let broken = true;
    const tally = createTally<number>(ground.api, createLogger('silent', 'test'), {
      what: 'notes',
      everyMs: null,
      merge: (one, other) => one + other,
      store(_tx, projectId, counts) {
        if (broken && projectId === 'prj_first') throw new Error('Not now.');
        stored.push(`${projectId} ${counts.join(' ')}`);
      },
    });
    tally.add('prj_first', 'a', 1);
    tally.add('prj_first', 'a', 2);
    tally.add('prj_first', 'b', 4);
    tally.add('prj_second', 'a', 8);
    await tally.flush();
    expect(stored).to.deep.equal(['prj_second 8']);
    tally.add('prj_first', 'a', 16);
    broken = false;
    await tally.flush();
    await tally.flush();
    expect(stored).to.deep.equal(['prj_second 8', 'prj_first 19 4']);
  });

  it('end a round in which the database is unreachable, and store the rest in the next', async () => {
    const tried: string[] = [];
    let away = true;
    const tally = createTally<number>(ground.api, createLogger('silent', 'test'), {
      what: 'notes',
      everyMs: 10,
      merge: (one, other) => one + other,
      store(_tx, projectId) {
        tried.push(projectId);
        if (away) throw Object.assign(new Error('Not there.'), { code: 'ECONNREFUSED' });
      },
    });
    tally.add('prj_first', 'a', 1);
    tally.add('prj_second', 'a', 2);
    await tally.flush();
    expect(tried).to.deep.equal(['prj_first']);
    away = false;
    // By its own timer.
    await eventually(async () => tried.length === 3);
    expect(tried.slice(1)).to.have.members(['prj_first', 'prj_second']);
  });
});
