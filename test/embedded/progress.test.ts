import { expect } from 'chai';
import { createProgress, type Step } from '../../lab/embedded/progress.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { createFakeTime, type FakeTime } from '../support/fake-time.ts';

describe('the progress of a start', () => {
  let time: FakeTime;
  let lines: string[];
  let stopping: AbortController;
  const create = () =>
    createProgress({
      ...time,
      log: (line) => lines.push(line),
      signal: stopping.signal,
    });
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof StartError ? error.message : `not meant: ${error}`),
    );

  beforeEach(() => {
    time = createFakeTime();
    lines = [];
    stopping = new AbortController();
  });

  it('is not said if it takes less than ten seconds', async () => {
    const progress = create();
    for (const what of ['starting Postgres', 'starting Redis']) {
      await progress.during(what, async () => {
        time.advance(4_900);
        progress.reportIfDue();
      });
    }
    expect(lines).to.deep.equal([]);
  });

  it('is said after ten seconds and every ten seconds from then on', async () => {
    const progress = create();
    await progress.during('starting Postgres', async (step) => {
      for (let second = 1; second <= 30; second += 1) {
        time.advance(1_000);
        if (second === 15) step.advance('recovering');
        progress.reportIfDue();
      }
    });
    expect(lines).to.deep.equal([
      'After 10 s: starting Postgres.',
      'After 20 s: starting Postgres (recovering).',
      'After 30 s: starting Postgres (recovering).',
    ]);
  });

  it('is said when the next step begins, once it takes long', async () => {
    const progress = create();
    await progress.during('starting Postgres', async () => time.advance(12_000));
    await progress.during('starting Redis', async () => {
      time.advance(9_000);
      progress.reportIfDue();
    });
    expect(lines).to.deep.equal(['After 12 s: starting Redis.']);
  });

  it('names everything that is done at the same time', async () => {
    const progress = create();
    const both = ['the server', 'the workers'].map((name) =>
      progress.during(`starting ${name}`, async (step) => {
        step.advance('loading code');
        await step.pollUntil(async () => (time.now() >= 10_000 ? true : undefined));
        progress.reportIfDue();
      }),
    );
    await Promise.all(both);
    expect(lines).to.deep.equal([
      'After 10 s: starting the server (loading code); starting the workers (loading code).',
    ]);
  });

  it('may take hours, as long as something moves', async () => {
    let asked = 0;
    const answer = await create().during('running migrations', (step) =>
      step.pollUntil(async () => {
        asked += 1;
        time.advance(4 * 60_000);
        step.advance(`migration ${asked} of 74`);
        return asked === 74 ? 'ready' : undefined;
      }),
    );
    expect(answer).to.equal('ready');
    expect(time.now()).to.be.greaterThan(4 * 60 * 60_000);
  });

  it('ends with what was being done if nothing moves for five minutes', async () => {
    const hangs = (step: Step) => {
      step.advance('connecting to Postgres');
      return step.pollUntil(async () => {
        // The same step again does not count as progress.
        step.advance('connecting to Postgres');
        return undefined;
      });
    };
    expect(await refusal(create().during('starting the server', hangs))).to.equal(
      'Nothing has moved for 5 minutes while starting the server (connecting to Postgres).',
    );
    expect(time.now()).to.be.within(5 * 60_000, 5 * 60_000 + 1_000);
  });

  it('ends when it is told to', async () => {
    const progress = create();
    const waiting = progress.during('starting Redis', (step) =>
      step.pollUntil(async () => {
        if (time.now() > 1_000) stopping.abort();
        return undefined;
      }),
    );
    expect(await refusal(waiting)).to.equal('Stopped while starting Redis.');
    const next = progress.during('starting the server', async () => 'started');
    expect(await refusal(next)).to.equal('Stopped while starting the server.');
  });
});
