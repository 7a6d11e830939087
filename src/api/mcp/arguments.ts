import type { RouteRequest } from './call-route.ts';
import { RpcError, wellFormed } from './json-rpc.ts';
import type { Tool } from './tool-schemas.ts';
import { maxUploadCharacters } from './tools.ts';

type Arguments = Record<string, unknown>;

/**
 * The request of a tool call. The route checks the values; only what a URL cannot express, and the
 * bounds that tools add, are checked here.
 * @throws RpcError for unknown or missing arguments, and values of other types or above a bound
 */
export function requestOf(tool: Tool, given: Arguments): RouteRequest {
  const { inputSchema, pathParams, queryParams } = tool;
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(inputSchema.properties, name)) {
      const allowed = Object.keys(inputSchema.properties).join(', ');
      throw invalid(`Unknown argument '${name.slice(0, 100)}'. Expected: ${allowed}.`);
    }
  }
  for (const name of inputSchema.required) {
    if (given[name] === undefined) throw invalid(`\`${name}\` is required.`);
  }
  const path = pathParams.reduce(
    (url, name) => url.replace(`{${name}}`, encodeURIComponent(textOf(name, given[name]))),
    tool.path,
  );
  const search = new URLSearchParams();
  for (const [name, { isCommaList }] of queryParams) {
    for (const value of valuesOf(name, withDefault(tool, given, name), isCommaList)) {
      search.append(name, value);
    }
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  const wait = integer(tool, given, 'wait_seconds');
  if (wait) headers.prefer = `wait=${wait}`;
  if (tool.declaration.form === 'picture') headers.accept = 'image/png';
  if (tool.declaration.form === 'file text') delete headers.accept;
  const query = search.toString();
  const url = query === '' ? path : `${path}?${query}`;
  if (url.length > maxUrlLength) throw invalid('The arguments are too long.');
  if (tool.declaration.form === 'upload') return uploadOf(tool, given, url, headers);
  return {
    method: tool.method,
    url,
    headers,
    ...(tool.method === 'POST' ? { body: JSON.stringify(bodyOf(tool, given)) } : {}),
  };
}

/** An upload of a file that the arguments contain. */
function uploadOf(
  { method }: Tool,
  { filename, content }: Arguments,
  url: string,
  headers: Record<string, string>,
): RouteRequest {
  if (typeof filename !== 'string' || filename === '' || filename.length > 255) {
    throw invalid('`filename` must be a string of 1 to 255 characters.');
  }
  if (typeof content !== 'string' || content === '' || content.length > maxUploadCharacters) {
    throw invalid(
      `\`content\` must be the file in base64, with 1 to ${maxUploadCharacters} characters. Upload larger files with the API.`,
    );
  }
  if (content.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(content)) {
    throw invalid('`content` must be base64 with padding, without line breaks.');
  }
  return {
    method,
    url,
    headers: {
      ...headers,
      'content-type': 'application/octet-stream',
      'x-filename': encodeURIComponent(wellFormed(filename)),
    },
    body: Buffer.from(content, 'base64'),
  };
}

/** Below the limit of the API, which has no place for a fault of an argument. */
const maxUrlLength = 7_000;

/** An integer argument that a tool bounds; its default if it is not given, or 0 if it has none. */
export function integer(tool: Tool, given: Arguments, name: string): number {
  const schema = tool.inputSchema.properties[name] as
    | { default?: number; minimum?: number; maximum?: number }
    | undefined;
  if (!schema) return 0;
  const value = given[name] ?? schema.default ?? 0;
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (
    typeof value !== 'number' ||
    !Number.isSafeInteger(value) ||
    value < minimum ||
    value > maximum
  ) {
    throw invalid(
      maximum === Number.MAX_SAFE_INTEGER
        ? `\`${name}\` must be an integer of at least ${minimum}.`
        : `\`${name}\` must be an integer from ${minimum} to ${maximum}.`,
    );
  }
  return value;
}

function withDefault(tool: Tool, given: Arguments, name: string): unknown {
  if (name === 'limit' || name === 'width') return integer(tool, given, name);
  return given[name];
}

function bodyOf(tool: Tool, given: Arguments): Arguments {
  const limit =
    'limit' in tool.inputSchema.properties ? { limit: integer(tool, given, 'limit') } : {};
  return { ...given, ...limit };
}

function valuesOf(name: string, value: unknown, isCommaList: boolean): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [textOf(name, value)];
  const texts = value.map((item) => textOf(name, item));
  return isCommaList ? [texts.join(',')] : texts;
}

function textOf(name: string, value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'boolean';
  if (!isText && !(typeof value === 'number' && Number.isFinite(value))) {
    throw invalid(`\`${name}\` must be a string, number or boolean, or a list of them.`);
  }
  return wellFormed(String(value));
}

const invalid = (message: string): RpcError => new RpcError('invalid_params', message);
