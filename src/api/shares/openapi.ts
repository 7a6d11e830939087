import { limits } from '@scriptorium/contracts/limits';
import type { Json } from '../openapi/json.ts';
import { pathParameter, problemResponse } from '../openapi/public-paths.ts';

const string: Json = { type: 'string' };
const nullableString: Json = { type: ['string', 'null'] };
const nullablePath: Json = { type: ['string', 'null'], description: 'Relative to the service.' };

const object = (properties: Record<string, Json>, description?: string): Json => ({
  type: 'object',
  ...(description ? { description } : {}),
  properties,
});
const list = (items: Json): Json => ({ type: 'array', items });

const file = object({
  id: string,
  filename: string,
  title: nullableString,
  mime: string,
  bytes: { type: 'integer' },
  url: string,
  preview_url: nullablePath,
  download_url: nullablePath,
});

/** The JSON response of a link. Its fields depend on the target. */
const content = object({
  kind: { enum: ['view', 'upload'] },
  title: nullableString,
  message: nullableString,
  expires_at: { type: ['string', 'null'], format: 'date-time' },
  file: { ...file, description: 'For a file.' },
  collection: object(
    { id: string, name: string, path: list(object({ id: string, name: string })) },
    'For a collection: the collection, and its path from the shared collection.',
  ),
  collections: list(object({ id: string, name: string, url: string })),
  next_collections_url: nullablePath,
  files: list(file),
  files_not_shown: {
    type: 'integer',
    description: 'The number of files on this page that policies hide.',
  },
  next_url: nullablePath,
  archive_url: nullablePath,
  upload_url: { ...string, description: 'Only for links that accept uploads.' },
  accept: list(string),
  max_bytes: { type: 'integer' },
  files_left: { type: ['integer', 'null'] },
});

const token = pathParameter('token', 'The last part of the `url` of a share.');
const cursor: Json = {
  name: 'cursor',
  in: 'query',
  description: 'Part of `next_url`.',
  schema: string,
};

const closed = problemResponse('Gone: `share_closed`.');
const commonResponses: Record<string, Json> = {
  403: problemResponse('Forbidden: `share_entry_required`, `policy_denied`.'),
  404: problemResponse('Not Found: `not_found`.'),
  410: closed,
  429: problemResponse(
    `Too Many Requests: \`rate_limited\`. A network may send ${limits.share_requests_per_minute.toLocaleString('en')} requests a minute to a link.`,
  ),
};

interface OperationDescription {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

const describe = ({ responses, ...rest }: OperationDescription): Json => ({
  ...rest,
  tags: ['Shares'],
  security: [],
  responses: { ...responses, ...commonResponses },
});

const contentResponse: Json = {
  description: 'OK',
  content: { 'application/json': { schema: content }, 'text/html': { schema: string } },
};
/** The paths of links in the OpenAPI document. They require no credential headers. */
export const sharePaths: Record<string, Json> = {
  '/l/{token}': {
    get: describe({
      operationId: 'useShare',
      summary: 'Get the content of a shared link.',
      description: `Returns HTML to browsers, and JSON with \`Accept: application/json\`: a file, a page of a collection, or the limits for uploads. The URLs in the response lead to nested collections, pictures, downloads (which are counted, and can be resumed for ${limits.share_download_minutes} minutes without being counted again) and archives of up to ${limits.archive_objects} files. A link with a password or \`max_views\` must be opened first.`,
      parameters: [token, cursor],
      responses: { 200: contentResponse },
    }),
    post: describe({
      operationId: 'openShare',
      summary: 'Open a shared link that has a password or a maximum number of visits.',
      description: `Starts a visit of ${limits.share_visit_hours} hours: the response sets a cookie for this link. Browsers are redirected with 303.`,
      parameters: [token],
      requestBody: {
        content: { 'application/json': { schema: object({ password: string }) } },
      },
      responses: { 204: { description: 'The visit has started.' } },
    }),
  },
  '/l/{token}/files': {
    post: describe({
      operationId: 'uploadToShare',
      summary: 'Upload a file through a shared link.',
      description:
        'Send the bytes of a file as in `POST /v1/objects`, or a form with one file. The file becomes an object, and a member of the collection of the link, if any.',
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
          description: 'The name of the uploader, percent-encoded.',
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
        413: problemResponse('Content Too Large: `payload_too_large`.'),
        415: problemResponse('Unsupported Media Type: `unsupported_media_type`.'),
        422: problemResponse('Unprocessable Content: `validation_failed`.'),
      },
    }),
  },
};
