import { formatAlternatives } from '@scriptorium/contracts/alternatives';
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
  ssl?: false | (Certificates & CertificateChecks);
  /** TLS is used only if the server offers it. */
  sslIfOffered?: true;
  /** TLS starts directly, without asking the server first. */
  sslDirect?: true;
  options?: string;
  applicationName?: string;
  /** Parameters of the URL that have no effect. */
  ignoredParameters?: string[];
}

/** How to check a server's certificate other than by its authority and host name. */
interface CertificateChecks {
  rejectUnauthorized?: false;
  checkServerIdentity?: () => undefined;
}

const fileParameters = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' };
const sslModes = [
  'disable',
  'allow',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
] as const;
type SslMode = (typeof sslModes)[number];
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
  const [pathDatabase, ...extraSegments] = parts.path;
  if (extraSegments.length > 0)
    throw new AddressError('has a path with more than the name of a database');
  const target = params.get('target_session_attrs') ?? 'read-write';
  if (!['any', 'read-write', 'primary'].includes(target)) {
    throw new AddressError(
      `has target_session_attrs=${target}, but the service needs a server that it can write to: use read-write, or omit the parameter`,
    );
  }
  const user = params.get('user') ?? parts.username;
  const password = params.get('password') ?? parts.password;
  const database = params.get('dbname') ?? pathDatabase;
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
    ...(ignored.length > 0 && { ignoredParameters: ignored }),
  };
}

/** The hosts of the URL, or those of `host` and `port`, which also take the folder of a socket. */
function readHosts(urlHosts: Host[], params: ReadonlyMap<string, string>): Host[] {
  const hostParameter = params.get('host') ?? params.get('hostaddr');
  const hosts = hostParameter?.split(',') ?? [];
  const ports = (params.get('port')?.split(',') ?? []).map(readPort);
  const hasHostAndAddress = params.has('hostaddr') && params.has('host');
  if (hasHostAndAddress || (urlHosts.length > 0 && (hosts.length > 0 || ports.length > 0))) {
    throw new AddressError(
      "names hosts twice: before the path, in 'host' or 'port', or in 'hostaddr'",
    );
  }
  if (urlHosts.length > 0) return urlHosts;
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new AddressError(`has ${hosts.length} in 'host' and ${ports.length} in 'port'`);
  }
  const names = hosts.length > 0 ? hosts : ['localhost'];
  return names.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? postgresPort }));
}

/** `sslmode`, or its equivalent; undefined if neither is set. */
function readMode(params: ReadonlyMap<string, string>): SslMode | undefined {
  const sslmode = params.get('sslmode');
  const mode = sslModes.find((known) => known === sslmode);
  if (sslmode !== undefined && mode === undefined) {
    throw new AddressError(`has sslmode=${sslmode}, but must have ${formatAlternatives(sslModes)}`);
  }
  const ssl = params.get('ssl');
  if (mode !== undefined || ssl === undefined) return mode;
  // The spelling of JDBC and node-postgres.
  if (ssl === 'true' || ssl === '1') return 'require';
  if (ssl === 'false' || ssl === '0') return 'disable';
  throw new AddressError(`has ssl=${ssl}, but must have true or false`);
}

function prefersTls(params: ReadonlyMap<string, string>): boolean {
  const mode = readMode(params);
  return mode === 'prefer' || mode === 'allow';
}

function readSsl(params: ReadonlyMap<string, string>, readsFiles: boolean): PostgresAddress['ssl'] {
  const mode = readMode(params);
  const fileParameter = Object.values(fileParameters).find((name) => params.has(name));
  const checksServer = params.get('channel_binding') === 'require';
  const isWeak = mode !== undefined && ['disable', 'allow', 'prefer', 'no-verify'].includes(mode);
  const strictParameter =
    fileParameter ??
    (checksServer ? 'channel_binding' : undefined) ??
    (params.get('sslnegotiation') === 'direct' ? 'sslnegotiation' : undefined);
  if (isWeak && strictParameter !== undefined) {
    throw new AddressError(
      `has sslmode=${mode}, which conflicts with '${strictParameter}': write sslmode=verify-full`,
    );
  }
  if (mode === undefined && strictParameter === undefined) return undefined;
  if (mode === 'disable') return false;
  if (isWeak) return { rejectUnauthorized: false };
  const fileParams = new Map(params);
  // The system's certificate authorities, as without a file.
  if (fileParams.get('sslrootcert') === 'system') fileParams.delete('sslrootcert');
  const certificates = readCertificates(fileParams, fileParameters, readsFiles);
  // As in libpq, a private authority is trusted for any host name. Public ones are not: anyone can get a
  // certificate from them.
  if ((mode === 'require' || mode === 'verify-ca') && fileParams.has('sslrootcert')) {
    return withFiles(certificates, { checkServerIdentity: () => undefined });
  }
  if (mode === 'require' && !params.has('sslrootcert') && !checksServer) {
    return withFiles(certificates, { rejectUnauthorized: false });
  }
  return certificates;
}

/** Adds certificates to checks as properties that each connection reads again from the files. */
function withFiles(
  certificates: Certificates,
  checks: CertificateChecks,
): Certificates & CertificateChecks {
  return Object.defineProperties(checks, Object.getOwnPropertyDescriptors(certificates));
}
