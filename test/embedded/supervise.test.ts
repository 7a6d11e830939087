import { expect } from 'chai';
import { type Service, supervise } from '../../lab/embedded/processes/supervise.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { createFakeTime, type FakeTime } from '../support/fake-time.ts';

/** A service that is not there, and ends when it is told to. */
interface FakeService extends Service {
  die(): void;
}

describe('the supervision of a service', () => {
  let time: FakeTime;
  let messages: string[];
  /** What the tether would end, if this process died. */
  let held: Set<number>;
  /** The services that were started, the newest last. */
  let services: FakeService[];
  /** Why the next starts fail. */
  let failures: Error[];
  let givenUp: Promise<string>;

  beforeEach(() => {
    time = createFakeTime();
    messages = [];
    held = new Set();
    services = [];
    failures = [];
  });

  const begin = () => {
    let giveUp: (reason: string) => void = () => {};
    givenUp = new Promise((resolve) => {
      giveUp = resolve;
    });
    return supervise({
      name: 'server',
      signal: 'SIGTERM',
      start: async (spawned) => {
        const pid = 100 + services.length;
        spawned(pid);
        const failure = failures.shift();
        if (failure) throw failure;
        let die = (): void => {};
        const exited = new Promise<void>((resolve) => {
          die = resolve;
        });
        const service = { pid, exited, die, stop: async () => die() };
        services.push(service);
        return service;
      },
      tether: {
        attach: (pid) => held.add(pid),
        detach: (pid) => held.delete(pid),
        close: async () => {},
      },
      log: (message) => messages.push(message),
      giveUp,
      now: time.now,
    });
  };
  /** Ends the newest one and waits for the next. */
  const killAndAwait = async (count: number): Promise<void> => {
    services.at(-1)?.die();
    while (services.length < count) await time.pause(0);
  };

  it('restarts it at most five times in a row, however long each start takes', async () => {
    await begin();
    for (let count = 2; count <= 6; count += 1) {
      time.advance(50_000);
      await killAndAwait(count);
    }
    services.at(-1)?.die();
    expect(await givenUp).to.equal('The server ended 6 times in a row. See its output.');
    expect(messages).to.have.length(5);
    expect(messages.at(-1)).to.equal('The server ended unexpectedly. Restarting it (5 of 5).');
    expect([...held]).to.deep.equal([]);
  });

  it('counts again once it was ready for a minute', async () => {
    const { stop } = await begin();
    for (let count = 2; count <= 20; count += 1) {
      time.advance(60_000);
      await killAndAwait(count);
    }
    expect(new Set(messages)).to.deep.equal(
      new Set(['The server ended unexpectedly. Restarting it (1 of 5).']),
    );
    await stop();
  });

  it('reports why a restart failed, and tries again', async () => {
    const { stop } = await begin();
    failures = [new StartError('The server exited during startup (exit code 1).')];
    await killAndAwait(2);
    expect(messages).to.deep.equal([
      'The server ended unexpectedly. Restarting it (1 of 5).',
      'The server exited during startup (exit code 1).',
      'The server ended unexpectedly. Restarting it (2 of 5).',
    ]);
    expect([...held]).to.deep.equal([services[1]?.pid]);
    await stop();
    expect([...held]).to.deep.equal([]);
  });

  it('does not repeat a first start that failed', async () => {
    failures = [new StartError('Port 8080 is taken.')];
    const outcome = await begin().catch((error: unknown) => String(error));
    expect(outcome).to.equal('StartError: Port 8080 is taken.');
    expect([services.length, [...held]]).to.deep.equal([0, []]);
  });
});
