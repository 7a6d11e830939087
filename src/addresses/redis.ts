import { type Certificates, readCertificates } from './tls.ts';
import { AddressError, type Host, readParts } from './url.ts';

interface Login {
  username?: string;
  password?: string;
}

/** The address of Redis, and how to log in. */
export type RedisAddress = Login & { tls: Certificates | null } & (
    | { kind: 'single'; host: Host; db: number }
    | { kind: 'sentinel'; sentinels: Host[]; primary: string; db: number; sentinelLogin: Login }
    | { kind: 'cluster'; nodes: Host[] }
  );

const plainSchemes = ['redis', 'redis+sentinel', 'redis+cluster'];
const tlsParams = ['ca', 'cert', 'key'];
const sentinelParams = ['sentinel_user', 'sentinel_password'];
const [redisPort, sentinelPort] = [6_379, 26_379];

/**
 * Reads REDIS_URL: `redis://user:password@host:6379/db`, `redis+sentinel://…@h1,h2/primary/db`,
 * `redis+cluster://…@h1,h2`; with `rediss` for TLS, whose files are in `ca`, `cert` and `key`.
 * @throws AddressError
 */
export function readRedisAddress(text: string): RedisAddress {
  const isSentinel = /^\s*rediss?\+sentinel:/.test(text);
  const parts = readParts(text, {
    schemes: [...plainSchemes, ...plainSchemes.map((scheme) => scheme.replace('redis', 'rediss'))],
    defaultPort: isSentinel ? sentinelPort : redisPort,
    params: [...tlsParams, ...(isSentinel ? sentinelParams : [])],
  });
  const { scheme, hosts, path, params } = parts;
  const usesTls = scheme.startsWith('rediss');
  const tlsParam = tlsParams.find((name) => params.has(name));
  if (!usesTls && tlsParam !== undefined) {
    throw new AddressError(
      `has '${tlsParam}', which needs TLS: write ${scheme.replace('redis', 'rediss')}://`,
    );
  }
  const names = { ca: 'ca', cert: 'cert', key: 'key' };
  const common = {
    ...loginOf(parts.username, parts.password),
    tls: usesTls ? readCertificates(params, names) : null,
  };
  if (isSentinel) {
    const [primary, db, ...extraSegments] = path;
    if (hosts.length === 0 || primary === undefined || extraSegments.length > 0) {
      throw new AddressError(
        'must name the sentinels and the primary they watch: redis+sentinel://host1,host2/mymaster',
      );
    }
    const user = params.get('sentinel_user') ?? null;
    const sentinelLogin = loginOf(user, params.get('sentinel_password') ?? null);
    return {
      ...common,
      kind: 'sentinel',
      sentinels: hosts,
      primary,
      db: parseDatabaseNumber(db),
      sentinelLogin,
    };
  }
  if (scheme.endsWith('+cluster')) {
    if (hosts.length === 0) throw new AddressError('must name at least one node of the cluster');
    if (path.length > 0 && path.join('/') !== '0') {
      throw new AddressError('has a database number, but a cluster has only database 0');
    }
    return { ...common, kind: 'cluster', nodes: hosts };
  }
  const [host = { host: '127.0.0.1', port: redisPort }, ...others] = hosts;
  if (others.length > 0) {
    throw new AddressError(
      'names several hosts: write redis+sentinel:// for sentinels, or redis+cluster:// for a cluster',
    );
  }
  if (path.length > 1) throw new AddressError('has a path with more than a database number');
  return { ...common, kind: 'single', host, db: parseDatabaseNumber(path[0]) };
}

function loginOf(username: string | null, password: string | null): Login {
  if (username !== null && password === null) {
    throw new AddressError(
      'has a user without a password (a password alone is written :password@)',
    );
  }
  return { ...(username !== null && { username }), ...(password !== null && { password }) };
}

function parseDatabaseNumber(text = '0'): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new AddressError(`has the database '${text}', which must be a number`);
}
