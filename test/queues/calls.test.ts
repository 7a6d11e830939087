import { expect } from 'chai';
import { Redis as Single } from 'ioredis';
import { createLogger } from '../../src/logger.ts';
import { answerCalls, createCaller, type SenderCaller } from '../../src/queues/calls.ts';
import { connectFailFast, connectPatient, type Redis } from '../../src/queues/connection.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

describe('calling senders of other processes', () => {
  const logger = createLogger('silent', 'test');
  let server: TestRedis;
  let redis: Redis;
  let caller: SenderCaller;
  let senders: { stop(): Promise<void> }[];
  beforeEach(async () => {
    server = await startPrivateRedis();
    redis = connectFailFast(server.url, logger);
    senders = [];
    caller = createCaller(redis, connectPatient(server.url, logger));
    await eventually(async () => redis.status === 'ready');
  });
  afterEach(async () => {
    await Promise.all(senders.map((one) => one.stop()));
    caller.close();
    redis.disconnect();
    await server.remove();
  });
  /** A sender, and what it was called for. */
  const sender = (id: string) => {
    const heard: string[][] = [];
    const ear = connectPatient(server.url, logger);
    if (!(ear instanceof Single)) throw new Error('This is a cluster.');
    const one = { id, heard, ear, ...answerCalls(redis, ear, id, (ids) => heard.push(ids)) };
    senders.push(one);
    return one;
  };

  it('calls one after the other, each for all that is named', async () => {
    const [a, b] = [sender('a'), sender('b')];
    let called = 0;
    await eventually(async () => {
      if (await caller.call(['whk_0'])) called += 1;
      return a.heard.length > 0 && b.heard.length > 0;
    });
    // A call may still be on its way.
    await eventually(async () => a.heard.length + b.heard.length === called);
    const before = [a.heard.length, b.heard.length];
    for (let at = 0; at < 4; at++)
      expect(await caller.call(['whk_1', 'whk_2'])).to.be.oneOf(['a', 'b']);
    await eventually(async () => a.heard.length + b.heard.length === before[0]! + before[1]! + 4);
    expect([a.heard.length - before[0]!, b.heard.length - before[1]!]).to.deep.equal([2, 2]);
    expect(a.heard.at(-1)).to.deep.equal(['whk_1', 'whk_2']);
  });

  it('reports a call without receivers: no sender, a stopped one, or a disconnected one', async () => {
    expect(await caller.call(['whk_1'])).to.equal(null);
    const leaving = sender('a');
    await eventually(() => caller.call(['whk_1']));
    await leaving.stop();
    expect(await caller.call(['whk_2'])).to.equal(null);
    const dying = sender('b');
    await eventually(() => caller.call(['whk_1']));
    dying.ear.disconnect();
    await eventually(async () => !(await caller.call(['whk_2'])));
    expect(leaving.heard.flat()).to.not.include('whk_2');
  });

  it('passes over a sender until it announces itself', async () => {
    sender('a');
    await eventually(() => caller.call(['whk_0']));
    caller.passOver('a');
    expect(await caller.call(['whk_1'])).to.equal(null);
    expect(await eventually(() => caller.call(['whk_2']))).to.equal('a');
  });

  it('does not call a sender whose connection is dead and looks alive', async () => {
    const [deaf, other] = [sender('a'), sender('b')];
    await eventually(async () => {
      await caller.call(['whk_0']);
      return deaf.heard.length > 0 && other.heard.length > 0;
    });
    deaf.ear.stream.pause();
    await eventually(async () => {
      const called = [await caller.call(['whk_1']), await caller.call(['whk_1'])];
      return called.every((id) => id === 'b');
    });
    expect(deaf.ear.status).to.equal('ready');
    deaf.ear.stream.resume();
    await eventually(async () => (await caller.call(['whk_2'])) === 'a');
  });

  it('hears all that was said before it stopped', async () => {
    const one = sender('a');
    await eventually(() => caller.call(['whk_0']));
    let said = 0;
    const calling = (async () => {
      while (await caller.call([`whk_${said + 1}`])) said += 1;
    })();
    await eventually(async () => said > 20);
    await one.stop();
    await calling;
    const heard = one.heard.flat().filter((id) => id !== 'whk_0');
    expect(heard).to.deep.equal(Array.from({ length: said }, (_, at) => `whk_${at + 1}`));
  });

  it('stops though Redis hangs, and though it dies before it answers', async () => {
    const [a, b] = [sender('a'), sender('b')];
    await eventually(async () => a.ear.status === 'ready' && b.ear.status === 'ready');
    await redis.call('CLIENT', 'PAUSE', '600000', 'ALL');
    await a.stop();
    const stopping = b.stop();
    await server.kill();
    await stopping;
    // It ends, and does not try to come back.
    await eventually(async () => a.ear.status === 'end' && b.ear.status === 'end');
  });

  it('survives FLUSHALL and the return of Redis, and fails while it is away', async () => {
    const one = sender('a');
    await eventually(() => caller.call(['whk_0']));
    await redis.flushall();
    expect(await caller.call(['whk_1'])).to.equal('a');
    await server.kill();
    await eventually(async () => redis.status !== 'ready');
    expect(await caller.call(['whk_2']).catch(() => 'failed')).to.be.oneOf([null, 'failed']);
    await server.restart();
    await eventually(() => caller.call(['whk_3']).catch(() => false));
    await eventually(async () => one.heard.flat().includes('whk_3'));
    expect(one.heard.flat()).to.not.include('whk_2');
  });
});
