import { signedUrlPaths } from '../../../src/api/downloads/signed-urls.ts';
import { describeApi } from '../../../src/api/openapi/document.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { describeEventTypes } from '../../../src/outbox/feed/catalogue.ts';
import { type Document, generate } from './generate.ts';

/** The client's types as the routes and schemas of this checkout have them. */
export function generateFromSource(): Promise<string> {
  // The document is made of these very routes; the generator refuses what it does not know of it.
  const document = describeApi(routes, '', signedUrlPaths) as unknown as Document;
  return generate(document, describeEventTypes());
}
