import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readPostgresAddress } from '../../src/addresses/postgres.ts';
import { AddressError } from '../../src/addresses/url.ts';
import { logUrlNotes, readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';

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

  const ssl = (query: string) => readPostgresAddress(`postgres://db/main?${query}`).ssl;

  it('takes its login from parameters, too', () => {
    const login = { user: 'api', password: 'p@ss', database: 'main' };
    for (const url of [
      'postgresql://db?user=api&password=p%40ss&dbname=main',
      'postgresql:///?hostaddr=db&user=api&password=p%40ss&dbname=main',
      'postgres://someone:else@db/other?user=api&password=p%40ss&dbname=main',
    ]) {
      expect(readPostgresAddress(url)).to.deep.equal({
        hosts: [{ host: 'db', port: 5432 }],
        ...login,
      });
    }
  });

  it('means by sslmode what libpq means', () => {
    const unverified = { rejectUnauthorized: false };
    for (const query of ['sslmode=require', 'ssl=true', 'sslmode=prefer', 'sslmode=allow']) {
      expect(ssl(query), query).to.deep.equal(unverified);
    }
    const offered = (query: string) =>
      readPostgresAddress(`postgres://db/main?${query}`).sslIfOffered;
    expect(['sslmode=prefer', 'sslmode=allow'].map(offered)).to.deep.equal([true, true]);
    expect(offered('sslmode=require')).to.equal(undefined);
    // The authority is checked, the name is not.
    for (const mode of ['require', 'verify-ca']) {
      const checked = ssl(`sslmode=${mode}&sslrootcert=${certificate}`);
      expect(checked, mode).to.have.keys('secureContext', 'checkServerIdentity');
    }
    // With a public authority only the name says who answers.
    for (const query of [
      'sslmode=verify-ca',
      'sslmode=require&sslrootcert=system',
      'sslmode=require&channel_binding=require',
      'channel_binding=require',
    ]) {
      expect(ssl(query), query).to.deep.equal({});
    }
    expect(ssl('ssl=false')).to.equal(false);
    const direct = readPostgresAddress('postgres://db/main?sslnegotiation=direct');
    expect(direct).to.deep.include({ ssl: {}, sslDirect: true });
    const socket = readPostgresAddress('postgres:///main?host=/run/postgresql&sslmode=require');
    expect(socket).not.to.have.property('ssl');
  });

  // As the consoles of Neon, Supabase, Vercel, DigitalOcean, Azure, Heroku and others show them.
  for (const [query, ignored] of [
    ['sslmode=require&channel_binding=require', undefined],
    ['sslmode=require&channel_binding=prefer&options=endpoint%3Dx', undefined],
    ['pgbouncer=true&connection_limit=1&connect_timeout=15', 3],
    ['pgbouncer=true&workaround=supabase-pooler.vercel', 2],
    ['sslmode=prefer&target_session_attrs=any&gssencmode=disable', 1],
    ['sslmode=require&uselibpqcompat=true&schema=public', 2],
    ['keepalives=1&keepalives_idle=30&tcp_user_timeout=0&client_encoding=UTF8', 4],
    ['ssl=true&application_name=me&fallback_application_name=you', 1],
  ] as const) {
    it(`may have ${query}`, () => {
      const { ignoredParameters } = readPostgresAddress(
        `postgres://u:p@db.example.com/main?${query}`,
      );
      expect(ignoredParameters?.length).to.equal(ignored);
    });
  }

  it('verifies the server, if it encrypts', () => {
    expect(ssl('')).to.equal(undefined);
    expect(ssl('sslmode=disable')).to.equal(false);
    expect(ssl('sslmode=no-verify')).to.deep.equal({ rejectUnauthorized: false });
    expect(ssl('sslmode=verify-full&sslrootcert=system')).to.deep.equal({});
    expect(ssl(`sslrootcert=${certificate}`)).to.have.keys('secureContext');
  });

  for (const [url, reason] of [
    ['mysql://db/main', 'must be a URL that starts with postgres:// or postgresql://'],
    ['postgres://db/main/more', 'has a path with more than the name of a database'],
    ['postgres://db/main?sslmod=require', "has the unknown parameter 'sslmod'"],
    ['postgres://db/main?sslmode=always', 'has sslmode=always, but must have disable'],
    ['postgres://db/main?ssl=yes', 'has ssl=yes, but must have true or false'],
    ['postgres://db/main?sslmode=prefer&sslrootcert=/a', 'write sslmode=verify-full'],
    [
      'postgres://db/main?sslmode=disable&channel_binding=require',
      "conflicts with 'channel_binding'",
    ],
    ['postgres://db/main?service=main', "has 'service', which is not supported"],
    ['postgres://db/main?require_auth=scram-sha-256', "has 'require_auth', which is not supported"],
    ['postgres://db/main?gssencmode=require', 'has gssencmode=require, which is not supported'],
    ['postgres://db/main?schema=other', 'has schema=other, which is not supported'],
    [
      'postgres://db/main?sslmode=disable&sslrootcert=/a',
      "has sslmode=disable, which conflicts with 'sslrootcert'",
    ],
    ['postgres://db/main?sslrootcert=/missing', 'cannot be read (ENOENT)'],
    [`postgres://db/main?sslcert=${certificate}`, "needs both 'sslcert' and 'sslkey'"],
    ['postgres://db/main?host=other', 'names hosts twice'],
    ['postgres:///main?host=a,b&port=1,2,3', "has 2 in 'host' and 3 in 'port'"],
    [
      'postgres://a,b/main?target_session_attrs=standby',
      'but the service needs a server that it can write to',
    ],
  ] as const) {
    it(`is rejected if it ${reason}`, () => {
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
    const DATABASE_URL = 'postgres://api:s3cret@db/main?sslmod=true';
    expect(() => readConfig({ DATABASE_URL, DATABASE_RELAY_URL: 'relay' }, []))
      .to.throw()
      .with.property('message')
      .that.satisfies(
        (text: string) =>
          text.includes("DATABASE_URL has the unknown parameter 'sslmod'") &&
          text.includes('DATABASE_RELAY_URL must be a URL') &&
          !text.includes('s3cret'),
      );
  });

  it('has what it says in vain or unsafely logged, if it is used', () => {
    const DATABASE_URL = 'postgres://api:s3cret@db/main?sslmode=require&pgbouncer=true';
    const lines: unknown[] = [];
    const note = (...line: unknown[]) => lines.push(line);
    const logger = Object.assign(createLogger('silent', 'test'), { info: note, warn: note });
    const { urlNotes } = readConfig({ DATABASE_URL, DATABASE_RELAY_URL: DATABASE_URL }, [
      'DATABASE_URL',
    ]);
    logUrlNotes(urlNotes, logger);
    expect(lines).to.deep.equal([
      [
        { setting: 'DATABASE_URL', parameters: ['pgbouncer'] },
        'parameters of a URL have no effect',
      ],
      [
        { setting: 'DATABASE_URL' },
        'the certificate of Postgres is not verified; use sslmode=verify-full',
      ],
    ]);
  });
});
