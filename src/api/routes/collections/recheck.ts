import type { IncomingMessage } from 'node:http';
import type { Recheck } from '../../../library/collections/load.ts';
import { etagOf } from '../../frame/reply.ts';
import { requireMatch } from '../../frame/responses/preconditions.ts';

/**
 * Returns a check of If-Match for when the collection is locked. The frame checks it without the
 * lock, because other resources must be locked first.
 */
export function recheckMatch(headers: IncomingMessage['headers']): Recheck {
  return (collection) => requireMatch(headers['if-match'], etagOf(collection.version), false);
}
