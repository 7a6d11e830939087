import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AddressError } from './url.ts';

/** Certificates for a connection, as Node takes them. Without any, the system's authorities apply. */
export interface Certificates {
  ca?: string;
  cert?: string;
  key?: string;
}

/** The names of the parameters that hold paths of PEM files. */
interface Names {
  ca: string;
  cert: string;
  key: string;
}

/**
 * Reads the files that a URL names, and checks that they fit each other.
 * @throws AddressError
 */
export function readCertificates(params: ReadonlyMap<string, string>, names: Names): Certificates {
  const files = (['ca', 'cert', 'key'] as const).flatMap((kind) => {
    const path = params.get(names[kind]);
    return path === undefined ? [] : [[kind, readPem(names[kind], path)] as const];
  });
  const found: Certificates = Object.fromEntries(files);
  if ((found.cert === undefined) !== (found.key === undefined)) {
    throw new AddressError(`needs both '${names.cert}' and '${names.key}', or neither`);
  }
  try {
    createSecureContext(found);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AddressError(
      `names files for TLS that don't fit: '${names.cert}' and '${names.key}' must be a certificate and its key without a passphrase, '${names.ca}' certificates of authorities (${reason})`,
    );
  }
  return found;
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
