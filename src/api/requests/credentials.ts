import type { IncomingMessage } from 'node:http';
import { type Credentials, keyInvalid } from '../../access/authenticate.ts';
import { parseKey } from '../../access/key-format.ts';
import { isId } from '../../contracts/ids.ts';
import { Problem } from '../../contracts/problems.ts';

/**
 * Reads the two headers that every request carries. Node joins repeated headers or drops all but
 * the first, so they are counted as they came.
 * @throws Problem 401 for a key that cannot be one, without asking the database
 */
export function readCredentials(request: IncomingMessage): Credentials {
  const authorization = valuesOf(request, 'authorization');
  const token =
    authorization.length === 1 ? /^Bearer ([\x21-\x7e]+)$/i.exec(authorization[0]!) : null;
  if (!token) {
    throw new Problem(
      'authentication_required',
      'Send the header Authorization once, as: Bearer <API key>.',
    );
  }
  const key = parseKey(token[1]!);
  if (!key) throw keyInvalid();
  const project = valuesOf(request, 'x-service-project-id');
  const projectId = project.length === 1 && isId('project', project[0]!) ? project[0]! : null;
  return { keyHash: key.hash, projectId };
}

/** Every value of a header, each as it was sent. */
export function valuesOf(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const raw = request.rawHeaders;
  for (let at = 0; at < raw.length; at += 2) {
    const sent = raw[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(raw[at + 1]!);
  }
  return values;
}
