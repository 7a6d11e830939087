/** The parts of `s3://bucket/prefix?region=…&endpoint=…&path_style=true`. */
import { StorageError } from '../../storage.ts';

export interface S3Location {
  bucket: string;
  /** A prefix of every key: empty, or ending in a slash. */
  prefix: string;
  region: string | undefined;
  endpoint: string | undefined;
  /**
   * Puts the bucket in the path instead of the host name, as most stores other than Amazon's
   * require.
   */
  pathStyle: boolean;
}

const knownParameters = new Set(['region', 'endpoint', 'path_style']);

/**
 * Parses an s3: URL. Credentials are not allowed in it, because URLs are logged.
 * @throws StorageError `url_invalid`, whose message does not repeat the URL
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:') throw invalid('is not an s3: URL');
  if (url.username !== '' || url.password !== '') {
    throw invalid('must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host))
    throw invalid('has no valid bucket name');
  for (const [name] of url.searchParams) {
    if (!knownParameters.has(name)) throw invalid(`has the unknown parameter '${name}'`);
  }
  const pathStyle = url.searchParams.get('path_style') ?? 'false';
  if (pathStyle !== 'true' && pathStyle !== 'false') {
    throw invalid('must have true or false as path_style');
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    throw invalid('must have an http: or https: URL without credentials as endpoint');
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.host,
    prefix: prefix === '' ? '' : `${prefix}/`,
    // Self-hosted stores have no regions, but the signature needs one.
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
    `STORAGE_URL ${fault}. Expected s3://bucket/prefix?region=…&endpoint=…&path_style=true.`,
  );
}
