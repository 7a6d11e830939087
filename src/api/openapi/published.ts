import { signedUrlPaths } from '../downloads/signed-urls.ts';
import type { Route } from '../frame/route.ts';
import { sharePaths } from '../shares/openapi.ts';
import { describeApi } from './document.ts';
import { readExamples } from './examples.ts';
import type { Json } from './json.ts';
import { showExamples } from './show-examples.ts';

export const apiName = 'Scriptorium';
/** The version of the interface. Additions do not change it. */
export const apiVersion = '1.0.0';

const made = new WeakMap<readonly Route[], Json>();

/** The OpenAPI document of these routes with its examples, created on first use. */
export function apiDocument(routes: readonly Route[], basePath = ''): Json {
  let document = made.get(routes);
  if (!document) {
    document = showExamples(
      describeApi(routes, apiVersion, { ...signedUrlPaths, ...sharePaths }),
      readExamples(),
    );
    made.set(routes, document);
  }
  return basePath === '' ? document : { ...document, servers: [{ url: basePath }] };
}
