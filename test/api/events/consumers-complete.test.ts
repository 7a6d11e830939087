import type { NewEvent } from '@scriptorium/contracts/events';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { expect } from 'chai';
import fc from 'fast-check';
import { inProject, inTransaction } from '../../../src/db/transaction.ts';
import { record } from '../../../src/outbox/record.ts';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { originOf } from '../../support/database-fixture.ts';
import { createPick } from '../../support/random.ts';
import { openRelay, type TestRelay } from '../../support/relay.ts';
import { numberRound } from '../../support/relay-rounds.ts';

const path = '/v1/events/consumers';
const types = ['dam.object.trashed', 'dam.object.restored'] as const;

describe('a consumer', () => {
  let api: TestApi;
  let relay: TestRelay;
  let key: Tenant;
  before(async () => {
    api = await startApi();
    relay = await openRelay(api);
    key = await api.issue(['events:read', 'events:ack'], { read: 1_000_000, write: 1_000_000 });
  });
  after(async () => {
    await relay.close();
    await api.close();
  });

  const make = async (body: object): Promise<string> => {
    const made = await api.call('POST', path, { ...key, body });
    if (made.status !== 201) throw new Error(made.text);
    return made.json.id;
  };

  /** Writers whose transactions overlap, some rolled back. Committed events go into `written`. */
  const write = (pick: (below: number) => number, run: number, written: Map<string, string>) =>
    Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let at = 0; at < 10; at++) {
          const events = Array.from({ length: 1 + pick(3) }, (_, n): NewEvent => {
            const resourceId = `obj_${run}_${writer}_${at}_${n}`;
            return { type: types[pick(2)]!, resourceId, data: {} };
          });
          const [waits, undone] = [pick(5), pick(5) === 0];
          await inProject(relay.worker, api.projectId, async (tx) => {
            await record(tx, originOf(api.projectId), ...events);
            // Others record, commit, are numbered and read before this one commits.
            for (let wait = 0; wait < waits; wait++) await tx.query('SELECT 1');
            if (undone) throw new Error('undone');
          }).then(
            () => {
              for (const event of events) written.set(event.resourceId, event.type);
            },
            (error: Error) => {
              if (error.message !== 'undone') throw error;
            },
          );
        }
      }),
    );

  /**
   * Reads and commits in portions of any size until there is nothing left after `done`. Sometimes
   * it dies in the middle of a page; the next reading starts with what it had not reached.
   */
  const follow = async (
    id: string,
    pick: (below: number) => number,
    done: () => boolean,
    handled: EventRecord[],
  ) => {
    for (;;) {
      const last = done();
      const answer = await api.call(
        'GET',
        `${path}/${id}/events?limit=${1 + pick(12)}&wait_seconds=${last ? 0 : 1}`,
        key,
      );
      expect(answer.status, answer.text).to.equal(200);
      const page = answer.json;
      if (last && page.data.length === 0) return;
      const dies = pick(3) === 0;
      const came = dies ? pick(page.data.length + 1) : page.data.length;
      handled.push(...page.data.slice(0, came));
      // A dead reader commits nothing, or what it has reached.
      if (dies && (came === 0 || pick(2) === 0)) continue;
      const sequence = dies ? page.data[came - 1].sequence : page.commit_sequence;
      const committed = await api.call('POST', `${path}/${id}/commit`, {
        ...key,
        body: { sequence },
      });
      // Another reader of the same consumer was ahead.
      expect(committed.status, committed.text).to.be.oneOf([200, 409]);
    }
  };

  it('sees every committed event at least once, in order, and none that was rolled back', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        run += 1;
        const pick = createPick(seed + 1);
        const all = await make({ name: `all-${run}`, start: 'latest' });
        const shared = await make({ name: `shared-${run}`, start: 'latest' });
        const some = await make({ name: `some-${run}`, start: 'latest', event_types: [types[1]] });
        const written = new Map<string, string>();
        let [writing, relaying] = [true, true];
        const numbering = (async () => {
          for (;;) {
            const last = !writing;
            if ((await inTransaction(relay.relay, numberRound)).events === 0 && last) break;
          }
          relaying = false;
        })();
        const handled = { all: [], shared: [], some: [] } as Record<string, EventRecord[]>;
        const readers = [
          [all, 'all'],
          [shared, 'shared'],
          [shared, 'shared'],
          [some, 'some'],
        ].map(([id, name]) => follow(id!, pick, () => !relaying, handled[name!]!));
        await write(pick, run, written);
        writing = false;
        await Promise.all([numbering, ...readers]);

        // A map keeps the position of repeated events.
        const firsts = (name: string): EventRecord[] => [
          ...new Map(handled[name]!.map((event) => [event.id, event])).values(),
        ];
        for (const name of ['all', 'shared']) {
          const resources = firsts(name).map((event) => event.resource_id);
          expect(resources, name).to.have.members([...written.keys()]);
        }
        const wanted = [...written].filter(([, type]) => type === types[1]).map(([id]) => id);
        expect(firsts('some').map((event) => event.resource_id)).to.have.members(wanted);
        for (const name of ['all', 'some']) {
          const sequences = firsts(name).map(({ sequence }) => sequence);
          expect(sequences, name).to.deep.equal([...sequences].sort((a, b) => a - b));
        }
        const sequences = firsts('all').map(({ sequence }) => sequence);
        expect(sequences.at(-1)! - sequences[0]! + 1, 'without gaps').to.equal(written.size);
        expect(written.size).to.be.greaterThan(20);
      }),
      { numRuns: 4 },
    );
  });
});
