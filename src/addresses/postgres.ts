import { alternatives } from '../contracts/alternatives.ts';
import { type Certificates, readCertificates } from './tls.ts';
import { AddressError, type Host, readParts, readPort } from './url.ts';

/** Where Postgres is, and how to log in. What is missing, the driver's defaults decide. */
export interface PostgresAddress {
  /** The servers of one cluster, of which one is the primary; at least one. */
  hosts: Host[];
  user?: string;
  password?: string;
  database?: string;
  /** Undefined: the driver's default, without TLS. */
  ssl?: false | (Certificates & { rejectUnauthorized?: false });
  options?: string;
  applicationName?: string;
}

const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' };
const params = [
  'host',
  'port',
  'sslmode',
  ...Object.values(files),
  'target_session_attrs',
  'application_name',
  'options',
];
/** Each of these verifies the certificate and its host, as verify-full does in libpq. */
const verifying = ['require', 'verify-ca', 'verify-full'];
const postgresPort = 5_432;

/**
 * Reads the URL of a database: `postgres://user:password@host1:5432,host2/database?sslmode=verify-full`.
 * @param readsFiles whether its files for TLS are checked now
 * @throws AddressError
 */
export function readPostgresAddress(text: string, readsFiles = true): PostgresAddress {
  const parts = readParts(text, {
    schemes: ['postgres', 'postgresql'],
    defaultPort: postgresPort,
    params,
  });
  const [database, ...rest] = parts.path;
  if (rest.length > 0) throw new AddressError('has more than the name of a database in its path');
  const target = parts.params.get('target_session_attrs') ?? 'read-write';
  if (target !== 'read-write' && target !== 'primary') {
    throw new AddressError(
      `has target_session_attrs=${target}, but the service writes: write read-write, or leave it out`,
    );
  }
  const options = parts.params.get('options');
  const applicationName = parts.params.get('application_name');
  const ssl = readSsl(parts.params, readsFiles);
  return {
    hosts: readHosts(parts.hosts, parts.params),
    ...(parts.username !== null && { user: parts.username }),
    ...(parts.password !== null && { password: parts.password }),
    ...(database !== undefined && { database }),
    ...(ssl !== undefined && { ssl }),
    ...(options !== undefined && { options }),
    ...(applicationName !== undefined && { applicationName }),
  };
}

/** The hosts of the URL, or those of `host` and `port`, which also take the folder of a socket. */
function readHosts(inUrl: Host[], given: ReadonlyMap<string, string>): Host[] {
  const hosts = given.get('host')?.split(',') ?? [];
  const ports = (given.get('port')?.split(',') ?? []).map(readPort);
  if (inUrl.length > 0 && (hosts.length > 0 || ports.length > 0)) {
    throw new AddressError("names hosts twice: before the path, and in 'host' or 'port'");
  }
  if (inUrl.length > 0) return inUrl;
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new AddressError(`has ${hosts.length} in 'host' and ${ports.length} in 'port'`);
  }
  const names = hosts.length > 0 ? hosts : ['localhost'];
  return names.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? postgresPort }));
}

function readSsl(given: ReadonlyMap<string, string>, readsFiles: boolean): PostgresAddress['ssl'] {
  const mode = given.get('sslmode');
  const named = Object.values(files).find((name) => given.has(name));
  if (mode === undefined && named === undefined) return undefined;
  if (mode === 'disable' || mode === 'no-verify') {
    if (named === undefined) return mode === 'disable' ? false : { rejectUnauthorized: false };
    throw new AddressError(`has both sslmode=${mode} and '${named}': write sslmode=verify-full`);
  }
  if (mode !== undefined && !verifying.includes(mode)) {
    throw new AddressError(
      `has sslmode=${mode}, but must have ${alternatives(['disable', 'no-verify', ...verifying])}`,
    );
  }
  const own = new Map(given);
  // The system's authorities, as without a file.
  if (own.get('sslrootcert') === 'system') own.delete('sslrootcert');
  return readCertificates(own, files, readsFiles);
}
