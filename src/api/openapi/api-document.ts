import { signedUrlPaths } from '../downloads/signed-urls.ts';
import type { Route } from '../frame/route.ts';
import { sharePaths } from '../shares/openapi.ts';
import { addExamples } from './add-examples.ts';
import { describeApi } from './document.ts';
import { readExamples } from './examples.ts';
import type { Json } from './json.ts';

export const apiName = 'Scriptorium';
/** The version of the interface. Additions do not change it. */
export const apiVersion = '1.0.0';

const documents = new WeakMap<readonly Route[], Json>();

/** The OpenAPI document of these routes with its examples, created on first use. */
export function apiDocument(routes: readonly Route[], basePath = ''): Json {
  let document = documents.get(routes);
  if (!document) {
    document = addExamples(
      describeApi(routes, apiVersion, { ...signedUrlPaths, ...sharePaths }),
      readExamples(),
    );
    documents.set(routes, document);
  }
  return basePath === '' ? document : { ...document, servers: [{ url: basePath }] };
}
