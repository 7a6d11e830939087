import { expect } from 'chai';
import { inProject, query } from '../src/db/transaction.ts';
import { createLogger } from '../src/logger.ts';
import { type DatabaseFixture, openDatabaseFixture } from './support/database-fixture.ts';

describe('what is logged of errors', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  it('names what broke, and never the row or the values it broke on', async () => {
    const project = await database.createProject();
    const error: unknown = await inProject(database.worker, project, (tx) =>
      // Postgres quotes the JSON that it could not read, up to where it failed.
      query(tx, 'SELECT $1::jsonb', ['{"words": "Jane Doe \\u0000"}']),
    ).catch((failure: unknown) => failure);
    const lines: string[] = [];
    const logger = createLogger('info', 'test', { write: (line) => void lines.push(line) });
    logger.error({ err: error }, 'a task failed');
    const [line] = lines;
    expect(JSON.parse(line!).err).to.include({ code: '22P05' });
    expect(line).to.include('unsupported Unicode escape sequence');
    expect(line).to.not.include('Jane Doe');
  });
});

describe('fields of log lines', () => {
  const logged = (fields: object): Record<string, unknown> => {
    const lines: string[] = [];
    createLogger('info', 'test', { write: (line) => void lines.push(line) }).info(fields, 'a line');
    const {
      level: _,
      time: __,
      pid: ___,
      hostname: ____,
      name: _____,
      msg: ______,
      ...rest
    } = JSON.parse(lines[0]!) as Record<string, unknown>;
    return rest;
  };

  it('contain no credentials, at any depth', () => {
    for (const name of [
      'authorization',
      'Authorization',
      'cookie',
      'Set-Cookie',
      'headers',
      'rawHeaders',
      'password',
      'secret',
      'client_secret',
      'secrets',
      'api_key',
      'apiKey',
      'token',
      'X-CSRF-Token',
      'private_key',
      'SECRET_KEY',
      'credentials',
    ]) {
      const fields = { [name]: 'hunter2', kept: 1 };
      expect(logged(fields), name).to.deep.equal({ kept: 1 });
      expect(logged({ a: fields, b: [{ c: { d: fields } }] }), name).to.deep.equal({
        a: { kept: 1 },
        b: [{ c: { d: { kept: 1 } } }],
      });
    }
  });

  it('keep fields with similar names', () => {
    const fields = { tokens: 5, header: 'a', key_id: 'key_1', secretary: 'b', at: null };
    expect(logged(fields)).to.deep.equal(fields);
  });

  it('name objects of classes, such as requests, and write dates as text', () => {
    const request = new Request('http://localhost', { headers: { authorization: 'Bearer x' } });
    const at = new Date(0);
    expect(logged({ request, at })).to.deep.equal({ request: '[Request]', at: at.toJSON() });
  });

  it('end where they refer to themselves', () => {
    const circular: Record<string, unknown> = { kept: 1 };
    circular.self = circular;
    expect(logged({ circular })).to.deep.equal({ circular: { kept: 1, self: '[Circular]' } });
  });

  it('describe the causes of errors and the errors that they combine, without end', () => {
    const inner = new Error('inner');
    const outer = new Error('outer', { cause: inner });
    inner.cause = outer;
    const all = new AggregateError([outer, new TypeError('other')], 'both');
    const { err } = logged({ err: all }) as { err: { errors: Record<string, unknown>[] } };
    expect(err).to.include({ type: 'AggregateError', message: 'both' });
    const [first, second] = err.errors;
    expect(first).to.deep.include({ message: 'outer' });
    expect(first!.cause).to.deep.include({ message: 'inner', cause: '[Circular]' });
    expect(second).to.include({ type: 'TypeError', message: 'other' });
  });

  it('contain no credentials of URLs, causes and objects with their own text', () => {
    const token = 'hunter2';
    const url = new URL(`postgres://scriptorium:${token}@localhost:5432/main?password=${token}`);
    const cause = { headers: { authorization: token }, kept: 1 };
    const own = new (class Client {
      toJSON = () => ({ token });
    })();
    const err = new Error('failed', { cause });
    const text = JSON.stringify(logged({ url, own, bytes: Buffer.from(token), err }));
    expect(text).to.include('postgres://localhost:5432/main');
    expect(text).to.include('[Client]');
    expect(text).to.include('"kept":1');
    expect(text).to.not.include(token);
    expect(text).to.not.include(Buffer.from(token).join(','));
  });

  it('end where an object refers to the error that it caused', () => {
    const cause: Record<string, unknown> = {};
    const err = new Error('failed', { cause });
    cause.error = err;
    expect(logged({ err }).err).to.deep.include({ cause: { error: '[Circular]' } });
  });
});
