import { isId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import pg from 'pg';
import { createDatabase, type TestDatabase } from '../support/services.ts';

describe('IDs generated in SQL', () => {
  let database: TestDatabase;
  let superuser: pg.Client;
  before(async () => {
    database = await createDatabase();
    superuser = new pg.Client({ connectionString: database.superuserUrl });
    await superuser.connect();
  });
  after(async () => {
    await superuser.end();
    await database.drop();
  });

  it('have the same format: a UUIDv7 in base32, sorted by time', async () => {
    const before = Date.now();
    const { rows } = await superuser.query<{ id: string }>(
      `SELECT new_id('evt') AS id FROM generate_series(1, 5000)`,
    );
    const after = Date.now();
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id) => !isId('event', id))).to.deep.equal([]);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const id of ids) {
      const bytes = bytesOf(id);
      expect(bytes.readUIntBE(0, 6)).to.be.within(before, after);
      expect(bytes[6]! >> 4, 'version').to.equal(7);
      expect(bytes[8]! >> 6, 'variant').to.equal(2);
    }
    // Within a session also in the order of creation, as `newId` does within a process.
    expect([...ids].sort()).to.deep.equal(ids);
    expect(ids[0]! > minIdAt(before - 1) && ids.at(-1)! < minIdAt(after + 1)).to.equal(true);
    const low = ids.map((id) => bytesOf(id).readUInt8(15));
    expect(new Set(low).size, 'chance').to.be.greaterThan(200);
  });

  it('of people are random, and hold no time', async () => {
    const start = Date.now();
    const { rows } = await superuser.query<{ id: string }>(
      `SELECT person_of('https://id.example.com', n::text) AS id FROM generate_series(1, 20) n`,
    );
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id) => !isId('user', id))).to.deep.equal([]);
    expect(new Set(ids).size).to.equal(ids.length);
    const year = 365 * 86_400_000;
    for (const id of ids) {
      const bytes = bytesOf(id);
      expect(bytes.readUIntBE(0, 6)).to.not.be.within(start - year, start + year);
      expect([bytes[6]! >> 4, bytes[8]! >> 6], 'version and variant').to.deep.equal([4, 2]);
    }
  });
});

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function bytesOf(id: string): Buffer {
  let value = 0n;
  for (const character of id.slice(4)) value = (value << 5n) | BigInt(alphabet.indexOf(character));
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

/** The smallest ID of a millisecond. */
function minIdAt(ms: number): string {
  let value = BigInt(ms) << 80n;
  let text = '';
  for (let at = 0; at < 26; at++) {
    text = alphabet[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `evt_${text}`;
}
