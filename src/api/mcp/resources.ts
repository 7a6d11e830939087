import type { CallRoute } from './call-route.ts';
import { RpcError, wellFormed } from './json-rpc.ts';
import { describeProblem } from './problem-text.ts';
import { maxResultCharacters } from './tools.ts';

const citationPrefix = 'scriptorium://citations/';

/** The address of a citation, for links in results. */
export const citationUri = (id: string): string => citationPrefix + id;

/** The templates of the resources that can be read. */
export const resourceTemplates = [
  {
    uriTemplate: `${citationPrefix}{id}`,
    name: 'citation',
    title: 'Citation',
    description: 'The object, pages, boxes and text of a chunk in a pack.',
    mimeType: 'application/json',
  },
];

/**
 * Reads a resource.
 * @throws RpcError for an unknown one, or one that the caller may not read
 */
export async function readResource(uri: unknown, callRoute: CallRoute): Promise<object> {
  if (typeof uri !== 'string' || !uri.startsWith(citationPrefix)) {
    throw new RpcError('resource_not_found', `\`uri\` must begin with ${citationPrefix}.`);
  }
  const id = encodeURIComponent(wellFormed(uri.slice(citationPrefix.length)));
  if (id.length > 100) throw new RpcError('resource_not_found', 'The citation does not exist.');
  const response = await callRoute({ method: 'GET', url: `/v1/documents/citations/${id}` });
  if (response.status !== 200) {
    throw new RpcError('resource_not_found', describeProblem(response.status, response.bytes));
  }
  const text = response.bytes.toString('utf8');
  if (text.length > maxResultCharacters) {
    throw new RpcError('resource_not_found', 'The citation is too long to be read.');
  }
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}
