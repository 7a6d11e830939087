import { limits } from '@scriptorium/contracts/limits';
import type { Json } from '../openapi/json.ts';
import { inPath, problemAnswer } from '../openapi/open-paths.ts';

const string: Json = { type: 'string' };
const text: Json = { type: ['string', 'null'] };
const path: Json = { type: ['string', 'null'], description: 'Relative to the service.' };

const object = (properties: Record<string, Json>, description?: string): Json => ({
  type: 'object',
  ...(description ? { description } : {}),
  properties,
});
const list = (items: Json): Json => ({ type: 'array', items });

const file = object({
  id: string,
  filename: string,
  title: text,
  mime: string,
  bytes: { type: 'integer' },
  url: string,
  preview_url: path,
  download_url: path,
});

/** The response of a link to a program; its fields depend on the target. */
const content = object({
  kind: { enum: ['view', 'upload'] },
  title: text,
  message: text,
  expires_at: { type: ['string', 'null'], format: 'date-time' },
  file: { ...file, description: 'For a file.' },
  collection: object(
    { id: string, name: string, path: list(object({ id: string, name: string })) },
    'For a collection, with the path from the shared one down to it.',
  ),
  collections: list(object({ id: string, name: string, url: string })),
  next_collections_url: path,
  files: list(file),
  files_not_shown: {
    type: 'integer',
    description: 'The number of files of this page that policies hide.',
  },
  next_url: path,
  archive_url: path,
  upload_url: { ...string, description: 'Only for a link that accepts uploads.' },
  accept: list(string),
  max_bytes: { type: 'integer' },
  files_left: { type: ['integer', 'null'] },
});

const token = inPath('token', 'The last part of the `url` of a share.');
const cursor: Json = {
  name: 'cursor',
  in: 'query',
  description: 'Part of `next_url`.',
  schema: string,
};

const closed = problemAnswer('Gone: `share_closed`.');
const common: Record<string, Json> = {
  403: problemAnswer('Forbidden: `share_entry_required`, `policy_denied`.'),
  404: problemAnswer('Not Found: `not_found`.'),
  410: closed,
  429: problemAnswer(
    `Too Many Requests: \`rate_limited\`. A network may send ${limits.share_requests_per_minute.toLocaleString('en')} requests a minute to a link.`,
  ),
};

interface Described {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

const describe = ({ responses, ...rest }: Described): Json => ({
  ...rest,
  tags: ['Shares'],
  security: [],
  responses: { ...responses, ...common },
});

const shown: Json = {
  description: 'OK',
  content: { 'application/json': { schema: content }, 'text/html': { schema: string } },
};
/** The paths of links in the OpenAPI document. They need no credential headers. */
export const sharePaths: Record<string, Json> = {
  '/l/{token}': {
    get: describe({
      operationId: 'useShare',
      summary: 'Show what a shared link leads to.',
      description: `A browser gets a page, a program JSON: send \`Accept: application/json\`. Returns a file, a page of a collection, or what may be uploaded. Its URLs lead to nested collections, pictures, downloads (counted, and resumed for ${limits.share_download_minutes} minutes without being counted again) and archives of up to ${limits.archive_objects} files. A link with a password or \`max_views\` must be opened first.`,
      parameters: [token, cursor],
      responses: { 200: shown },
    }),
    post: describe({
      operationId: 'openShare',
      summary: 'Open a shared link that has a password or a limit of visits.',
      description: `Begins a visit of ${limits.share_visit_hours} hours: the response sets a cookie for this link. A browser gets 303.`,
      parameters: [token],
      requestBody: {
        content: { 'application/json': { schema: object({ password: string }) } },
      },
      responses: { 204: { description: 'The visit has begun.' } },
    }),
  },
  '/l/{token}/files': {
    post: describe({
      operationId: 'uploadToShare',
      summary: 'Upload a file by a shared link.',
      description:
        'Sends the bytes of one file, as `POST /v1/objects` takes them, or a form with one file. The file becomes an object, in the collection of the link if it has one.',
      parameters: [
        token,
        {
          name: 'X-Filename',
          in: 'header',
          description: 'The name of the file, percent-encoded.',
          schema: string,
        },
        {
          name: 'X-Uploader-Name',
          in: 'header',
          description: 'The name of the person who uploads, percent-encoded.',
          schema: string,
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/octet-stream': { schema: string },
          'multipart/form-data': { schema: object({ file: string }) },
        },
      },
      responses: {
        201: {
          description: 'Created',
          content: {
            'application/json': {
              schema: object({ filename: string, mime: string, bytes: { type: 'integer' } }),
            },
          },
        },
        413: problemAnswer('Content Too Large: `payload_too_large`.'),
        415: problemAnswer('Unsupported Media Type: `unsupported_media_type`.'),
        422: problemAnswer('Unprocessable Content: `validation_failed`.'),
      },
    }),
  },
};
