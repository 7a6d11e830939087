import type { IncomingMessage } from 'node:http';
import { isId } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import { type KeyCredentials, keyInvalid } from '../../access/authenticate.ts';
import { parseKey } from '../../access/keys/format.ts';

/**
 * Reads the two credential headers. Node joins repeated headers or drops all but the first, so the
 * raw headers are counted.
 * @throws Problem 401 for a malformed key, without querying the database
 */
export function readCredentials(request: IncomingMessage): KeyCredentials {
  const authorization = headerValues(request, 'authorization');
  const token =
    authorization.length === 1 ? /^Bearer ([\x21-\x7e]+)$/i.exec(authorization[0]!) : null;
  if (!token) {
    throw new Problem(
      'authentication_required',
      'Send the API key in a single header: `Authorization: Bearer <API key>`.',
    );
  }
  const key = parseKey(token[1]!);
  if (!key) throw keyInvalid();
  const project = headerValues(request, 'x-service-project-id');
  const projectId = project.length === 1 && isId('project', project[0]!) ? project[0]! : null;
  return { keyHash: key.hash, projectId };
}

/** The raw values of a header. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const raw = request.rawHeaders;
  for (let at = 0; at < raw.length; at += 2) {
    const sent = raw[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(raw[at + 1]!);
  }
  return values;
}
