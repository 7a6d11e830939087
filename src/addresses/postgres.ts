import { alternatives } from '@scriptorium/contracts/alternatives';
import { ignoredParameters } from './postgres-parameters.ts';
import { type Certificates, readCertificates } from './tls.ts';
import { AddressError, type Host, readParts, readPort } from './url.ts';

/** The address of Postgres, and how to log in. The driver's defaults apply to missing fields. */
export interface PostgresAddress {
  /** The servers of one cluster, of which one is the primary; at least one. */
  hosts: Host[];
  user?: string;
  password?: string;
  database?: string;
  /** Undefined: the driver's default, without TLS. */
  ssl?: false | (Certificates & Checks);
  /** TLS is used only if the server offers it. */
  sslIfOffered?: true;
  /** TLS starts directly, without asking the server first. */
  sslDirect?: true;
  options?: string;
  applicationName?: string;
  /** Parameters of the URL that have no effect. */
  ignored?: string[];
}

/** How to check a server's certificate other than by its authority and host name. */
interface Checks {
  rejectUnauthorized?: false;
  checkServerIdentity?: () => undefined;
}

const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' };
const modes = [
  ...['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
] as const;
type Mode = (typeof modes)[number];
const postgresPort = 5_432;

/**
 * Reads the URL of a database:
 * `postgres://user:password@host1:5432,host2/database?sslmode=verify-full`. Parameters have the
 * same meaning as in libpq.
 * @param readsFiles whether to check its TLS files now
 * @throws AddressError
 */
export function readPostgresAddress(text: string, readsFiles = true): PostgresAddress {
  const parts = readParts(text, {
    schemes: ['postgres', 'postgresql'],
    defaultPort: postgresPort,
    params: null,
  });
  const { params } = parts;
  const ignored = ignoredParameters(params);
  const [inPath, ...rest] = parts.path;
  if (rest.length > 0) throw new AddressError('has a path with more than the name of a database');
  const target = params.get('target_session_attrs') ?? 'read-write';
  if (!['any', 'read-write', 'primary'].includes(target)) {
    throw new AddressError(
      `has target_session_attrs=${target}, but the service needs a server that it can write to: use read-write, or omit the parameter`,
    );
  }
  const user = params.get('user') ?? parts.username;
  const password = params.get('password') ?? parts.password;
  const database = params.get('dbname') ?? inPath;
  const options = params.get('options');
  const applicationName = params.get('application_name');
  const hosts = readHosts(parts.hosts, params);
  // As in libpq, connections through local sockets are never encrypted.
  const ssl = hosts.every(({ host }) => host.startsWith('/'))
    ? undefined
    : readSsl(params, readsFiles);
  return {
    hosts,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(ssl !== undefined && { ssl }),
    ...(ssl && prefersTls(params) && { sslIfOffered: true as const }),
    ...(ssl && params.get('sslnegotiation') === 'direct' && { sslDirect: true as const }),
    ...(options !== undefined && { options }),
    ...(applicationName !== undefined && { applicationName }),
    ...(ignored.length > 0 && { ignored }),
  };
}

/** The hosts of the URL, or those of `host` and `port`, which also take the folder of a socket. */
function readHosts(inUrl: Host[], given: ReadonlyMap<string, string>): Host[] {
  const named = given.get('host') ?? given.get('hostaddr');
  const hosts = named?.split(',') ?? [];
  const ports = (given.get('port')?.split(',') ?? []).map(readPort);
  const isTwice = given.has('hostaddr') && given.has('host');
  if (isTwice || (inUrl.length > 0 && (hosts.length > 0 || ports.length > 0))) {
    throw new AddressError(
      "names hosts twice: before the path, in 'host' or 'port', or in 'hostaddr'",
    );
  }
  if (inUrl.length > 0) return inUrl;
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new AddressError(`has ${hosts.length} in 'host' and ${ports.length} in 'port'`);
  }
  const names = hosts.length > 0 ? hosts : ['localhost'];
  return names.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? postgresPort }));
}

/** `sslmode`, or its equivalent; undefined if neither is set. */
function readMode(given: ReadonlyMap<string, string>): Mode | undefined {
  const said = given.get('sslmode');
  const mode = modes.find((known) => known === said);
  if (said !== undefined && mode === undefined) {
    throw new AddressError(`has sslmode=${said}, but must have ${alternatives(modes)}`);
  }
  const ssl = given.get('ssl');
  if (mode !== undefined || ssl === undefined) return mode;
  // The spelling of JDBC and node-postgres.
  if (ssl === 'true' || ssl === '1') return 'require';
  if (ssl === 'false' || ssl === '0') return 'disable';
  throw new AddressError(`has ssl=${ssl}, but must have true or false`);
}

function prefersTls(given: ReadonlyMap<string, string>): boolean {
  const mode = readMode(given);
  return mode === 'prefer' || mode === 'allow';
}

function readSsl(given: ReadonlyMap<string, string>, readsFiles: boolean): PostgresAddress['ssl'] {
  const mode = readMode(given);
  const named = Object.values(files).find((name) => given.has(name));
  const checksServer = given.get('channel_binding') === 'require';
  const isWeak = mode !== undefined && ['disable', 'allow', 'prefer', 'no-verify'].includes(mode);
  const strict =
    named ??
    (checksServer ? 'channel_binding' : undefined) ??
    (given.get('sslnegotiation') === 'direct' ? 'sslnegotiation' : undefined);
  if (isWeak && strict !== undefined) {
    throw new AddressError(
      `has sslmode=${mode}, which conflicts with '${strict}': write sslmode=verify-full`,
    );
  }
  if (mode === undefined && strict === undefined) return undefined;
  if (mode === 'disable') return false;
  if (isWeak) return { rejectUnauthorized: false };
  const own = new Map(given);
  // The system's certificate authorities, as without a file.
  if (own.get('sslrootcert') === 'system') own.delete('sslrootcert');
  const certificates = readCertificates(own, files, readsFiles);
  // Anyone can get a certificate from a public authority, but not for the server's name.
  if ((mode === 'require' || mode === 'verify-ca') && own.has('sslrootcert')) {
    return withFiles(certificates, { checkServerIdentity: () => undefined });
  }
  if (mode === 'require' && !given.has('sslrootcert') && !checksServer) {
    return withFiles(certificates, { rejectUnauthorized: false });
  }
  return certificates;
}

/** The files must stay valid, since each connection reads them. */
function withFiles(certificates: Certificates, checks: Checks): Certificates & Checks {
  return Object.defineProperties(checks, Object.getOwnPropertyDescriptors(certificates));
}
