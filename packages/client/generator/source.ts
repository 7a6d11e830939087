import { signedUrlPaths } from '../../../src/api/downloads/signed-urls.ts';
import { describeApi } from '../../../src/api/openapi/document.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { describeEventTypes } from '../../../src/outbox/feed/catalogue.ts';
import {
  generateClientTypes,
  type generatedFiles,
  generateOperationTable,
  type OpenApiDocument,
} from './generate.ts';

/** Generates the files from the routes and schemas of this checkout. */
export async function generateFromSource(): Promise<Record<keyof typeof generatedFiles, string>> {
  // The document is built from these routes; the generator throws for anything that it does not
  // support.
  const document = describeApi(routes, '', signedUrlPaths) as unknown as OpenApiDocument;
  return {
    client: await generateClientTypes(document, describeEventTypes()),
    portal: await generateOperationTable(document),
  };
}
