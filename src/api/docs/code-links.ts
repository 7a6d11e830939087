import { problemCodes } from '@scriptorium/contracts/problems';
import type { Json } from '../openapi/json.ts';
import { objectAt, operationsOf, tagPath } from './openapi-accessors.ts';

/** The target of inline code in a guide: an operation, an error code or an event type. */
export function createCodeLinks(document: Json): (code: string) => string | undefined {
  const links = new Map<string, string>();
  for (const code of Object.keys(problemCodes)) links.set(code, `/docs/errors#${code}`);
  for (const type of Object.keys(objectAt(document, 'webhooks'))) {
    links.set(type, `/docs/event-types#${type}`);
  }
  for (const { id, method, path, tag } of operationsOf(document)) {
    links.set(`${method} ${path}`, `${tagPath(tag)}#${id}`);
  }
  return (code) => links.get(code);
}
