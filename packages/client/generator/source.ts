import { signedUrlPaths } from '../../../src/api/downloads/signed-urls.ts';
import { describeApi } from '../../../src/api/openapi/document.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { describeEventTypes } from '../../../src/outbox/feed/catalogue.ts';
import { type Document, generate, type generatedFiles, generateTable } from './generate.ts';

/** Generates the files from the routes and schemas of this checkout. */
export async function generateFromSource(): Promise<Record<keyof typeof generatedFiles, string>> {
  // The document is built from these routes; the generator throws for anything that it does not
  // support.
  const document = describeApi(routes, '', signedUrlPaths) as unknown as Document;
  return {
    client: await generate(document, describeEventTypes()),
    portal: await generateTable(document),
  };
}
