import { signedUrlPaths } from '../../../src/api/downloads/signed-urls.ts';
import { describeApi } from '../../../src/api/openapi/document.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { describeEventTypes } from '../../../src/outbox/feed/catalogue.ts';
import { generateClientTypes, type generatedFiles, generateOperationTable } from './generate.ts';
import type { OpenApiDocument } from './openapi.ts';
import { generatePython } from './python/generate.ts';

/** Generates the TypeScript files from the routes and schemas of this checkout. */
export async function generateFromSource(): Promise<Record<keyof typeof generatedFiles, string>> {
  const document = describeDocument();
  return {
    client: await generateClientTypes(document, describeEventTypes()),
    portal: await generateOperationTable(document),
  };
}

/** Generates the modules of the Python client, by their paths in its package. */
export function generatePythonFromSource(): Promise<Map<string, string>> {
  return generatePython(describeDocument(), describeEventTypes());
}

function describeDocument(): OpenApiDocument {
  // The document is built from these routes; the generator throws for anything that it does not
  // support.
  return describeApi(routes, '', signedUrlPaths) as unknown as OpenApiDocument;
}
