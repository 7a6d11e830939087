import { signedUrlPaths } from '../../../src/api/downloads/signed-urls.ts';
import { describeApi } from '../../../src/api/openapi/document.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { describeEventTypes } from '../../../src/outbox/feed/catalogue.ts';
import { type Document, generate, type generatedFiles, generateTable } from './generate.ts';

/** Generates the files from the routes and schemas of this checkout. */
export async function generateFromSource(): Promise<Record<keyof typeof generatedFiles, string>> {
  // The document is made of these very routes; the generator refuses what it does not know of it.
  const document = describeApi(routes, '', signedUrlPaths) as unknown as Document;
  return {
    client: await generate(document, describeEventTypes()),
    portal: await generateTable(document),
  };
}
