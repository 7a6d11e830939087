import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readPostgresAddress } from '../../src/addresses/postgres.ts';
import { AddressError } from '../../src/addresses/url.ts';
import { readConfig } from '../../src/config.ts';

const certificate = fileURLToPath(new URL('../webhooks/fixtures/receiver.crt', import.meta.url));

describe('the URL of a database', () => {
  it('names a server and the login', () => {
    expect(readPostgresAddress('postgres://api:p%40ss@db/main?application_name=me')).to.deep.equal({
      hosts: [{ host: 'db', port: 5432 }],
      user: 'api',
      password: 'p@ss',
      database: 'main',
      applicationName: 'me',
    });
  });

  it('may end in a line break, as secrets do', () => {
    expect(readPostgresAddress(' postgres://db/main\n')).to.deep.include({ database: 'main' });
  });

  it('names several servers, as libpq does', () => {
    const hosts = [
      { host: 'a', port: 5433 },
      { host: 'b', port: 5432 },
    ];
    for (const url of [
      'postgres://a:5433,b/main?target_session_attrs=read-write',
      'postgresql:///main?host=a,b&port=5433,5432',
    ]) {
      expect(readPostgresAddress(url)).to.deep.equal({ hosts, database: 'main' });
    }
    expect(readPostgresAddress('postgres:///main?host=/run/postgresql').hosts).to.deep.equal([
      { host: '/run/postgresql', port: 5432 },
    ]);
  });

  it('verifies the server, if it encrypts', () => {
    const ssl = (query: string) => readPostgresAddress(`postgres://db/main?${query}`).ssl;
    expect(ssl('')).to.equal(undefined);
    expect(ssl('sslmode=disable')).to.equal(false);
    expect(ssl('sslmode=no-verify')).to.deep.equal({ rejectUnauthorized: false });
    expect(ssl('sslmode=verify-full&sslrootcert=system')).to.deep.equal({});
    expect(ssl(`sslrootcert=${certificate}`)).to.have.keys('secureContext');
  });

  for (const [url, reason] of [
    ['mysql://db/main', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres://db/main/more', 'has more than the name of a database'],
    ['postgres://db/main?sslmod=require', "has the unknown parameter 'sslmod'"],
    ['postgres://db/main?sslmode=prefer', 'has sslmode=prefer, but must have disable'],
    [
      'postgres://db/main?sslmode=disable&sslrootcert=/a',
      "has both sslmode=disable and 'sslrootcert'",
    ],
    ['postgres://db/main?sslrootcert=/missing', 'cannot be read (ENOENT)'],
    [`postgres://db/main?sslcert=${certificate}`, "needs both 'sslcert' and 'sslkey'"],
    ['postgres://db/main?host=other', 'names hosts twice'],
    ['postgres:///main?host=a,b&port=1,2,3', "has 2 in 'host' and 3 in 'port'"],
    ['postgres://a,b/main?target_session_attrs=any', 'but the service writes'],
  ] as const) {
    it(`is refused if it ${reason}`, () => {
      expect(() => readPostgresAddress(url))
        .to.throw(AddressError)
        .with.property('message')
        .that.includes(reason);
    });
  }

  it('has its files read only where it is used', () => {
    const DATABASE_URL = 'postgres://api@db/main?sslrootcert=/missing';
    readConfig({ DATABASE_URL }, []);
    expect(() => readConfig({ DATABASE_URL }, ['DATABASE_URL'])).to.throw('(ENOENT)');
    const DATABASE_SESSION_URL = DATABASE_URL;
    expect(() => readConfig({ DATABASE_SESSION_URL }, [])).to.throw('(ENOENT)');
  });

  it('is read at the start, for each role', () => {
    const DATABASE_URL = 'postgres://api:s3cret@db/main?ssl=true';
    expect(() => readConfig({ DATABASE_URL, DATABASE_RELAY_URL: 'relay' }, []))
      .to.throw()
      .with.property('message')
      .that.satisfies(
        (text: string) =>
          text.includes("DATABASE_URL has the unknown parameter 'ssl'") &&
          text.includes('DATABASE_RELAY_URL must be a URL') &&
          !text.includes('s3cret'),
      );
  });
});
