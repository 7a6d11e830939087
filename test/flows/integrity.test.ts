import { expect } from 'chai';
import {
  type EventNumbers,
  Ledger,
  type Observer,
} from '../../lab/bench/support/integrity/ledger.ts';
import { proveIntegrity } from '../../lab/bench/support/integrity/prove.ts';
import { openService, type TestService } from '../support/service.ts';

describe('event integrity', () => {
  describe('under faults', () => {
    let service: TestService;
    before(async () => {
      service = await openService();
    });
    after(() => service.close());

    it('holds: reader and receiver see exactly what was committed, in order', async () => {
      const server = await service.startServer();
      const webhooks = service.startWorker('webhooks');
      const proof = await proveIntegrity(
        {
          processes: [server, webhooks],
          url: service.url,
          databaseUrl: service.database.apiUrl,
          superuserUrl: service.database.superuserUrl,
          startRelay: () => service.startWorker('relay'),
        },
        {
          events: 20_000,
          writers: 24,
          eventsPerFault: 700,
          seed: Date.now() % 1_000_000,
          ...(process.env.TEST_LOG ? { log: console.error } : {}),
        },
      );
      expect(proof.faults).to.deep.equal([]);
      expect(proof.committed).to.be.at.least(20_000);
      expect(proof.cuts).to.be.greaterThan(0);
      expect(proof.kills).to.be.greaterThan(0);
    });
  });

  describe('as checked', () => {
    let ledger: Ledger;
    let marks: EventNumbers[];
    beforeEach(() => {
      ledger = new Ledger(10, 1);
      marks = [0, 1, 2].map((place) => ledger.issue(7, place));
      for (const { event } of marks) ledger.settle(event, 'committed');
    });
    const seeAll = (observer: Observer, order = [0, 1, 2]): void => {
      for (const [at, which] of order.entries()) ledger.observe(observer, 0, at + 1, marks[which]!);
    };

    it('allows webhooks to arrive twice and in any order', () => {
      seeAll('feed');
      for (const at of [2, 0, 1, 0]) ledger.observe('webhooks', 0, at + 1, marks[at]!);
      expect(ledger.faults()).to.deep.equal([]);
      expect(ledger.observations.webhooks.duplicates).to.equal(1);
    });

    it('reports lost events', () => {
      seeAll('feed');
      ledger.observe('webhooks', 0, 1, marks[0]!);
      ledger.observe('webhooks', 0, 2, marks[1]!);
      expect(ledger.faults()).to.deep.equal(['webhooks: 2 was committed and never seen']);
    });

    it('reports events that were rolled back but seen', () => {
      const { event } = ledger.issue(8, 0);
      ledger.settle(event, 'rolled_back');
      seeAll('feed');
      seeAll('webhooks');
      ledger.observe('feed', 0, 4, { event, job: 8, place: 0 });
      expect(ledger.faults()).to.deep.equal([`feed: ${event} was seen and never committed`]);
    });

    it('reports a gap between sequences', () => {
      seeAll('webhooks');
      ledger.observe('feed', 0, 1, marks[0]!);
      ledger.observe('feed', 0, 2, marks[1]!);
      ledger.observe('feed', 0, 4, marks[2]!);
      expect(ledger.faults()).to.deep.equal(['feed: project 0 has no event at sequence 3']);
    });

    it('reports effects before their causes', () => {
      seeAll('webhooks');
      seeAll('feed', [0, 2, 1]);
      expect(ledger.faults()).to.include('feed: job 7 has its event 2 in the place of 1');
    });

    it('reports two events with one sequence, and one event with two', () => {
      seeAll('feed');
      seeAll('webhooks');
      ledger.observe('webhooks', 0, 1, marks[1]!);
      ledger.observe('feed', 0, 5, marks[0]!);
      expect(ledger.faults()).to.include.members([
        'webhooks: events 0 and 1 both have sequence 1',
        'feed: event 0 has a second sequence, 5',
      ]);
    });

    it('reports unexpected records, and work with an unknown outcome', () => {
      seeAll('feed');
      seeAll('webhooks');
      ledger.observe('feed', 0, 4, { event: 5, job: 1, place: 0 });
      const { event } = ledger.issue(9, 0);
      ledger.settle(event, 'unknown');
      expect(ledger.faults()).to.include.members([
        'feed: an event that was not written: {"event":5,"job":1,"place":0}',
        `feed: the fate of ${event} is unknown`,
      ]);
    });
  });
});
