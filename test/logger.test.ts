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
