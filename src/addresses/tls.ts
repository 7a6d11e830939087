import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from '../logger.ts';
import { AddressError } from './url.ts';

/**
 * Certificates for a connection, as Node takes them. Without any, the system's authorities apply.
 */
export interface Certificates {
  /** Each connection reads the files again, since certificates are rotated. */
  readonly secureContext?: SecureContext;
}

/** The names of the parameters that hold paths of PEM files. */
interface Names {
  ca: string;
  cert: string;
  key: string;
}

type Paths = (readonly [kind: keyof Names, path: string])[];

/**
 * The last files read without an error, by path: files may be invalid while they are being
 * replaced.
 */
const lastGood = new Map<string, SecureContext>();
/** Why files are currently invalid, by path. */
const bad = new Map<string, string>();

let logger: Logger | null = null;

/**
 * Logs once when files in use become invalid or the reason changes, and once when they are valid
 * again.
 */
export function logBadFiles(to: Logger | null): void {
  logger = to;
}

/**
 * The certificates in the files that a URL names.
 * @param readsFiles whether the files are checked now
 * @throws AddressError
 */
export function readCertificates(
  params: ReadonlyMap<string, string>,
  names: Names,
  readsFiles = true,
): Certificates {
  const paths: Paths = (['ca', 'cert', 'key'] as const).flatMap((kind) => {
    const path = params.get(names[kind]);
    return path === undefined ? [] : [[kind, path] as const];
  });
  if (params.has(names.cert) !== params.has(names.key)) {
    throw new AddressError(`needs both '${names.cert}' and '${names.key}', or neither`);
  }
  if (paths.length === 0) return {};
  const id = JSON.stringify(paths);
  const files = paths.map(([, path]) => path);
  const current = (): SecureContext => {
    try {
      const read = readContext(paths, names);
      lastGood.set(id, read);
      if (bad.delete(id)) logger?.info({ files }, 'the files for TLS can be used again');
      return read;
    } catch (error) {
      const kept = lastGood.get(id);
      if (!kept) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (bad.get(id) !== reason) {
        bad.set(id, reason);
        logger?.warn({ files, reason }, 'files for TLS are bad; what was read before stays in use');
      }
      return kept;
    }
  };
  if (readsFiles) current();
  return {
    get secureContext() {
      return current();
    },
  };
}

/** Reads files, and checks that they fit each other. */
function readContext(paths: Paths, names: Names): SecureContext {
  const found = Object.fromEntries(
    paths.map(([kind, path]) => [kind, readPem(names[kind], path)] as const),
  );
  try {
    return createSecureContext(found);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AddressError(
      `names files for TLS that don't fit: '${names.cert}' and '${names.key}' must be a certificate and its key without a passphrase, '${names.ca}' certificates of authorities (${reason})`,
    );
  }
}

function readPem(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new AddressError(`names the file ${path} in '${name}', which cannot be read (${code})`);
  }
  if (!text.includes('-----BEGIN ')) {
    throw new AddressError(`names the file ${path} in '${name}', which is not a PEM file`);
  }
  return text;
}
