import type { IncomingMessage } from 'node:http';
import type { Recheck } from '../../../library/collections/load.ts';
import { requireMatch } from '../../frame/preconditions.ts';
import { etagOf } from '../../frame/reply.ts';

/**
 * Holds If-Match against the collection once more when it is locked: the frame saw it before, since
 * what a body names is locked first.
 */
export function recheckMatch(headers: IncomingMessage['headers']): Recheck {
  return (collection) => requireMatch(headers['if-match'], etagOf(collection.version), false);
}
