/** What `s3://bucket/prefix?region=…&endpoint=…&path_style=true` says. */
import { StorageError } from '../storage.ts';

export interface S3Place {
  bucket: string;
  /** Before every key: empty, or ending in a slash. */
  prefix: string;
  region: string | undefined;
  endpoint: string | undefined;
  /** The bucket in the path instead of the host name, as most stores but Amazon's want it. */
  pathStyle: boolean;
}

const known = new Set(['region', 'endpoint', 'path_style']);

/**
 * Reads an s3: URL. Credentials have no place in it: URLs are logged.
 * @throws StorageError `url_invalid`, whose message does not repeat the URL
 */
export function parseS3Url(text: string): S3Place {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:') throw invalid('is not an s3: URL');
  if (url.username !== '' || url.password !== '') {
    throw invalid('must not hold credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) throw invalid('names no bucket');
  for (const [name] of url.searchParams) {
    if (!known.has(name)) throw invalid(`has the parameter '${name}', which it does not know`);
  }
  const pathStyle = url.searchParams.get('path_style') ?? 'false';
  if (pathStyle !== 'true' && pathStyle !== 'false') {
    throw invalid('needs true or false for path_style');
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    throw invalid('needs an http: or https: address without credentials as its endpoint');
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    // Stores of one's own have no regions, and the signature wants one.
    region: url.searchParams.get('region') ?? (endpoint === undefined ? undefined : 'us-east-1'),
    endpoint,
    pathStyle: pathStyle === 'true',
  };
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function invalid(fault: string): StorageError {
  return new StorageError(
    'url_invalid',
    `STORAGE_URL ${fault}. It reads s3://bucket/prefix?region=…&endpoint=…&path_style=true.`,
  );
}
