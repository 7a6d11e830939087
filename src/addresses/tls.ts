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
interface ParameterNames {
  ca: string;
  cert: string;
  key: string;
}

type Paths = (readonly [kind: keyof ParameterNames, path: string])[];

/**
 * The last files read without an error, by path: files may be invalid while they are being
 * replaced.
 */
const lastValidContexts = new Map<string, SecureContext>();
/** The reasons why files are currently invalid, by path. */
const invalidReasons = new Map<string, string>();

let logger: Logger | null = null;

/**
 * Logs once when files in use become invalid or the reason changes, and once when they are valid
 * again.
 */
export function logInvalidFiles(newLogger: Logger | null): void {
  logger = newLogger;
}

/**
 * The certificates in the files that a URL names.
 * @param readsFiles whether the files are checked now
 * @throws AddressError
 */
export function readCertificates(
  params: ReadonlyMap<string, string>,
  names: ParameterNames,
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
  const currentContext = (): SecureContext => {
    try {
      const context = readContext(paths, names);
      lastValidContexts.set(id, context);
      if (invalidReasons.delete(id)) logger?.info({ files }, 'the TLS files are valid again');
      return context;
    } catch (error) {
      const lastValid = lastValidContexts.get(id);
      if (!lastValid) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (invalidReasons.get(id) !== reason) {
        invalidReasons.set(id, reason);
        logger?.warn({ files, reason }, 'the TLS files are invalid; the previous ones stay in use');
      }
      return lastValid;
    }
  };
  if (readsFiles) currentContext();
  return {
    get secureContext() {
      return currentContext();
    },
  };
}

/** Reads files, and checks that the certificate matches the key. */
function readContext(paths: Paths, names: ParameterNames): SecureContext {
  const pems = Object.fromEntries(
    paths.map(([kind, path]) => [kind, readPem(names[kind], path)] as const),
  );
  try {
    return createSecureContext(pems);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AddressError(
      `names TLS files that do not match: '${names.cert}' and '${names.key}' must be a certificate and its key without a passphrase, '${names.ca}' certificates of authorities (${reason})`,
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
