import type { IncomingMessage } from 'node:http';
import type { Recheck } from '../../../library/collections/load.ts';
import { requireMatch } from '../../frame/answers/preconditions.ts';
import { etagOf } from '../../frame/reply.ts';

/**
 * Checks If-Match again once the collection is locked. The frame checked it without the lock,
 * because other resources are locked first.
 */
export function recheckMatch(headers: IncomingMessage['headers']): Recheck {
  return (collection) => requireMatch(headers['if-match'], etagOf(collection.version), false);
}
