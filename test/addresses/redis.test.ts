import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readPostgresAddress } from '../../src/addresses/postgres.ts';
import { readRedisAddress } from '../../src/addresses/redis.ts';
import { AddressError } from '../../src/addresses/url.ts';
import { readConfig } from '../../src/config.ts';

const certificate = fileURLToPath(new URL('../webhooks/fixtures/receiver.crt', import.meta.url));
const key = certificate.replace('.crt', '.key');

describe('REDIS_URL', () => {
  it('names one Redis, with its defaults', () => {
    expect(readRedisAddress('redis://:p%40ss@cache/2')).to.deep.equal({
      kind: 'single',
      host: { host: 'cache', port: 6379 },
      db: 2,
      password: 'p@ss',
      tls: null,
    });
    expect(readRedisAddress('rediss://app:secret@[::1]:7000')).to.deep.equal({
      kind: 'single',
      host: { host: '::1', port: 7000 },
      db: 0,
      username: 'app',
      password: 'secret',
      tls: {},
    });
  });

  it('may end in a line break, as secrets do', () => {
    expect(readRedisAddress('redis://cache/2\n')).to.deep.include({ kind: 'single', db: 2 });
    expect(readRedisAddress('\tredis+sentinel://h/m \n')).to.deep.include({ primary: 'm' });
  });

  it('names sentinels and the primary they watch', () => {
    const url =
      'redis+sentinel://app:secret@h1:26380,h2/mymaster/3?sentinel_user=s&sentinel_password=t';
    expect(readRedisAddress(url)).to.deep.equal({
      kind: 'sentinel',
      sentinels: [
        { host: 'h1', port: 26380 },
        { host: 'h2', port: 26379 },
      ],
      primary: 'mymaster',
      db: 3,
      username: 'app',
      password: 'secret',
      sentinelLogin: { username: 's', password: 't' },
      tls: null,
    });
  });

  it('names nodes of a cluster', () => {
    expect(readRedisAddress(`rediss+cluster://h1,h2:7001/0?ca=${certificate}`)).to.deep.include({
      kind: 'cluster',
      nodes: [
        { host: 'h1', port: 6379 },
        { host: 'h2', port: 7001 },
      ],
    });
  });

  for (const [url, reason] of [
    ['postgres://h', 'must be a URL that starts with redis://'],
    ['redis://:a#b@h', 'must be percent-encoded'],
    ['redis://:a%b@h', 'write %25'],
    ['redis://h:0', 'has a port that is not a number between 1 and 65535'],
    ['redis://h:1:2', 'has a port that is not a number'],
    ['redis://h/one', "has the database 'one', which must be a number"],
    ['redis://h/0/1', 'has a path with more than a database number'],
    ['redis://app@h', 'has a user without a password'],
    ['redis://h?tls=true', "has the unknown parameter 'tls' (expected any of ca, cert, key)"],
    ['redis://h?ca=/a', "has 'ca', which needs TLS: write rediss://"],
    ['redis+cluster://h?ca=/a', "has 'ca', which needs TLS: write rediss+cluster://"],
    ['rediss://h?ca=/a&ca=/b', "has the parameter 'ca' more than once"],
    ['rediss://h?ca=/missing', "names the file /missing in 'ca', which cannot be read (ENOENT)"],
    [`rediss://h?cert=${certificate}`, "needs both 'cert' and 'key', or neither"],
    [`rediss://h?cert=${key}&key=${certificate}`, 'names TLS files that do not match'],
    [`rediss://h?ca=${fileURLToPath(import.meta.url)}`, 'is not a PEM file'],
    ['redis://h1,h2', 'names several hosts: write redis+sentinel://'],
    ['redis+sentinel://h1,h2', 'must name the sentinels and the primary they watch'],
    ['redis+sentinel://h1/m?sentinel_user=a', 'has a user without a password'],
    ['redis+cluster://', 'must name at least one node'],
    ['redis+cluster://h/1', 'a cluster has only database 0'],
  ] as const) {
    it(`is rejected if it ${reason}: ${url.replace(/\/[^?]*\/test\/\S*\//g, '')}`, () => {
      expect(() => readRedisAddress(url))
        .to.throw(AddressError)
        .with.property('message')
        .that.includes(reason);
    });
  }

  for (const special of ['/', '?', '#', '@', ':', '%', '[', ',', '&x=']) {
    it(`is not repeated in part if its password has a ${special} that is not encoded`, () => {
      const password = `first${special}second${special}third`;
      for (const url of [
        `redis://:${password}@h`,
        `redis://app:${password}@h/0`,
        `rediss+sentinel://app:${password}@h1,h2/mymaster`,
        `redis+cluster://app:${password}@h1:7000,h2`,
        // Without its host.
        `redis://app:${password}`,
        `redis://:${password}`,
        `postgres://app:${password}@h/db?sslmode=require`,
        `postgres://app:${password}`,
      ]) {
        const read = url.startsWith('postgres') ? readPostgresAddress : readRedisAddress;
        let message = '';
        try {
          read(url);
        } catch (error) {
          expect(error).to.be.instanceOf(AddressError);
          message = String(error);
        }
        expect(message).not.to.match(/first|second|third/);
      }
    });
  }

  it('is never repeated in a message', () => {
    expect(() => readConfig({ REDIS_URL: 'redis://app:s3cret@h1,h2' }, []))
      .to.throw()
      .with.property('message')
      .that.satisfies(
        (text: string) =>
          text.includes('REDIS_URL names several hosts') && !text.includes('s3cret'),
      );
  });
});
