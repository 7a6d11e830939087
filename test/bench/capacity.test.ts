import { expect } from 'chai';
import {
  type Cost,
  processKinds,
  readCosts,
  type UnitCosts,
  type Work,
  workNames,
} from '../../lab/bench/support/capacity/costs.ts';
import {
  costOf,
  limitsOnOneMachine,
  type Machines,
  maxOf,
  plan,
} from '../../lab/bench/support/capacity/model.ts';
import { readOptions } from '../../lab/bench/support/capacity/options.ts';
import { formatPlan } from '../../lab/bench/support/capacity/print.ts';
import { missesOf } from '../../lab/bench/support/capacity/tables.ts';
import { OptionError } from '../../lab/number-options.ts';

const free: Cost = {
  cpu_ms: Object.fromEntries(processKinds.map((kind) => [kind, 0])) as Cost['cpu_ms'],
  client_ms: 0,
  wal_bytes: 0,
};

function costly(cpu: Partial<Cost['cpu_ms']>, walBytes = 0, clientMs = 0): Cost {
  return { cpu_ms: { ...free.cpu_ms, ...cpu }, client_ms: clientMs, wal_bytes: walBytes };
}

const costs: UnitCosts = {
  per: {
    ...(Object.fromEntries(workNames.map((name) => [name, free])) as Record<Work, Cost>),
    write: costly({ api: 0.5, postgres: 0.5 }, 2_000, 0.25),
    number: costly({ relay: 0.05, postgres: 0.05 }, 500),
    deliver: costly({ webhooks: 0.2, postgres: 0.1, redis: 0.01 }, 1_000),
    ocr: costly({ ocr: 800, postgres: 2, api: 1 }, 10_000),
  },
  numbering_ms: 0.1,
  fan_out_ms: 0.05,
  stored_bytes: { event: 1_000, delivery: 500, page: 4_000, object: 3_000 },
};

const machines: Machines = {
  cores: 10,
  use: 0.5,
  postgresCores: 8,
  walMegabytes: 100,
  connections: 200,
  diskTerabytes: 2,
};
const planOf = (args: string) => plan(costs, readOptions(args.split(' ')).load, machines);

describe('the capacity model', () => {
  it('adds up what amounts of work cost', () => {
    const { cpu, clientMs, walBytes } = costOf(costs, { write: 10, number: 10, deliver: 20 });
    expect(cpu.postgres).to.be.closeTo(5 + 0.5 + 2, 1e-9);
    expect(cpu.webhooks).to.be.closeTo(4, 1e-9);
    expect(clientMs).to.equal(2.5);
    expect(walBytes).to.equal(20_000 + 5_000 + 20_000);
  });

  it('names what ends a rate on one machine', () => {
    const limit = (cores: number, api: number) =>
      limitsOnOneMachine(costs, { write: 1 }, { cores, processes: { api } })[0];
    expect(limit(2, 1)).to.deep.equal({ what: 'the cores', perSecond: 1_600 });
    expect(limit(8, 1)).to.deep.equal({ what: 'the API processes', perSecond: 2_000 });
    expect(limit(8, 2)?.perSecond).to.equal(4_000);
    const numbering = limitsOnOneMachine(costs, { number: 1 }, { cores: 8, processes: {} })[0];
    expect(numbering).to.deep.equal({ what: 'the numbering lock', perSecond: 10_000 });
    const both = { number: 1, fan_out: 1 };
    const fanningOut = limitsOnOneMachine(costs, both, { cores: 8, processes: {} })[0];
    expect(fanningOut?.what).to.equal('the numbering lock');
    expect(fanningOut?.perSecond).to.be.closeTo(1_000 / 0.15, 1e-6);
  });

  it('plans processes, machines and connections, and two of what must not fail alone', () => {
    const found = planOf('--events-per-second 1000 --pages-per-day 864000');
    const of = (kind: string) => found.processes.find((one) => one.kind === kind);
    expect(of('api')).to.deep.include({ processes: 2, connections: 36 });
    expect(of('api')?.cores).to.be.closeTo(0.51, 1e-9);
    // 8 cores of pages, 5 cores of each machine.
    expect(of('ocr')).to.deep.include({ processes: 2, connections: 32 });
    expect(of('relay')).to.deep.include({ processes: 2 });
    expect(of('webhooks')).to.equal(undefined);
    expect(found.machines).to.equal(2);
    expect(found.clusters).to.equal(1);
    expect(found.postgres.walMegabytes).to.be.closeTo(2.6, 1e-9);
  });

  it('says what gives first, and how many clusters are past it', () => {
    const numbering = planOf('--events-per-second 20000 --writes-per-second 0');
    expect(numbering.uses[0]).to.deep.include({ what: 'the lock of numbering', share: 4 });
    expect(numbering.clusters).to.equal(4);
    const fannedOut = planOf(
      '--events-per-second 1000 --writes-per-second 0 --deliveries-per-second 2000',
    );
    const lock = fannedOut.uses.find(({ what }) => what === 'the lock of numbering');
    expect(lock?.needed).to.be.closeTo(0.1 + 0.1, 1e-9);
    const disk = planOf('--events-kept 1000000000');
    expect(disk.uses[0]).to.deep.include({ what: 'disk of Postgres', share: 2 });
    const { load } = readOptions('--events-per-second 20000 --writes-per-second 0'.split(' '));
    const most = maxOf(costs, load, machines);
    expect(most.times).to.be.closeTo(0.25, 1e-4);
    expect(most.gives.what).to.equal('the lock of numbering');
    const text = formatPlan(readCosts(), load, plan(costs, load, machines), most);
    expect(text)
      .to.include('One cluster takes 0.25 × this load')
      .and.to.include('Needed: 4 clusters');
  });

  it('does not divide projects for connections, which a pooler spares', () => {
    const found = plan(costs, readOptions(['--events-per-second', '100']).load, {
      ...machines,
      connections: 10,
    });
    expect(found.uses[0]).to.deep.include({ what: 'connections to Postgres' });
    expect(found.clusters).to.equal(1);
  });

  it('keeps as many deliveries for an event as are sent', () => {
    const { load } = readOptions(
      '--events-per-second 10 --deliveries-per-second 30 --events-kept 100'.split(' '),
    );
    expect(load.kept).to.deep.include({ event: 100, delivery: 300 });
    expect(load.writes).to.equal(10);
  });

  for (const [args, message] of [
    ['', 'No load is given. Write for example --events-per-second 1000.'],
    [
      '--events-per-second many',
      "--events-per-second must be a number of at least 0, such as 1000, not 'many'.",
    ],
    [
      '--events-per-second -5',
      "--events-per-second must be a number of at least 0, such as 1000, not '-5'.",
    ],
    ['--events-per-second', '--events-per-second must be a number of at least 0, such as 1000.'],
    ['--events-per-second 5 --use 2', '--use must be at most 1, not 2.'],
    [
      '--events-per-second 5 --postgres-cores 0',
      "--postgres-cores must be a number greater than 0, such as 64, not '0'.",
    ],
    ['5', "Unexpected argument '5'. Write --option value."],
  ] as const) {
    it(`rejects "${args}"`, () => {
      expect(() => readOptions(args.split(' ').filter((part) => part !== ''))).to.throw(
        OptionError,
        message,
      );
    });
  }

  it('rejects an unknown option, and lists those that exist', () => {
    expect(() => readOptions(['--evnts', '5'])).to.throw(
      OptionError,
      /^Unknown option '--evnts'\. Expected one of: --events-per-second, /,
    );
  });

  it('names the predictions that were off by a quarter or more', () => {
    const rate = (processes: number, error: number | null) => ({
      work: 'read',
      processes,
      per_second: 100,
      to_one: '1',
      ended: '',
      predicted: error === null ? null : { per_second: 100, error, limit: 'the cores' },
    });
    const figure = (what: string, predicted: number) => ({
      what,
      predicted,
      measured: 100,
      unit: 's',
    });
    const misses = missesOf({
      rates: [rate(1, null), rate(2, 0.2), rate(4, -0.3)],
      mixed: { load: '', ended: '', figures: [figure('api', 124), figure('relay', 189)] },
    });
    expect(misses).to.deep.equal(['read by 4 processes −30 %', 'relay +89 %']);
  });

  it('reads the recorded costs: each kind of work has one', () => {
    const recorded = readCosts();
    expect(recorded.numbering_ms).to.be.greaterThan(0);
    for (const work of workNames) {
      const { cpu_ms: cpu } = recorded.per[work];
      expect(
        Object.values(cpu).reduce((sum, ms) => sum + ms, 0),
        work,
      ).to.be.greaterThan(0);
    }
  });
});
