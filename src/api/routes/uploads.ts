import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { limits } from '@scriptorium/contracts/limits';
import type { ProblemCode } from '@scriptorium/contracts/problems';
import { Problem } from '@scriptorium/contracts/problems';
import { ResumableUpload } from '@scriptorium/contracts/wire/library/uploads';
import type { TObject } from 'typebox';
import type { Upload } from '../../entities/library/upload.ts';
import { findImageId } from '../../library/images/load.ts';
import { findUpload, presentUpload, storedBytesOf } from '../../library/uploads/load.ts';
import { noContent, ok, stream } from '../frame/reply.ts';
import { type RequestHeader, type StreamCall, streamRoute } from '../frame/route.ts';
import { discardBody, readBody } from '../uploads/bytes.ts';
import { handleTus, type TusRequest, type TusResponse } from '../uploads/tus.ts';
import {
  checksumAlgorithms,
  chunkType,
  readChunkHeaders,
  readCreationHeaders,
  requireVersion,
} from '../uploads/tus-headers.ts';

const tag = 'Uploads';
/** All requests about an upload, reads included, require one scope. */
const scopes = ['objects:write'] as const;
/** A PATCH may take hours, so concurrency is limited instead of the rate. */
const concurrency = 32;
const chunkProblems: ProblemCode[] = [
  'tus_version_unsupported',
  'offset_mismatch',
  'upload_expired',
  'upload_locked',
  'checksum_mismatch',
  'payload_too_large',
  'unsupported_media_type',
  'policy_denied',
  'storage_full',
];

const versionHeader: RequestHeader = {
  name: 'Tus-Resumable',
  required: true,
  schema: { const: '1.0.0' },
  description: 'The version of the tus protocol. 412 if missing.',
};
const checksumHeader: RequestHeader = {
  name: 'Upload-Checksum',
  schema: { type: 'string' },
  description: `The algorithm (${checksumAlgorithms.join(', ')}), a space and the base64 digest of this body. 460 if it does not match; the body is then discarded.`,
};

const announce = streamRoute({
  method: 'OPTIONS',
  path: '/v1/uploads',
  operationId: 'describeUploads',
  tag,
  summary: 'Get the supported tus version and extensions.',
  description:
    'Returns Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm. Requires the two credential headers, like all of `/v1`.',
  scopes,
  rate: 'read',
  produces: [],
  responses: { 204: null },
  handler: async (call) => {
    const { headers } = await runTus(call, { method: 'OPTIONS' });
    return noContent({
      headers: {
        ...headers,
        'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
        Allow: 'OPTIONS, POST',
      },
    });
  },
});

const create = streamRoute({
  method: 'POST',
  path: '/v1/uploads',
  operationId: 'createUpload',
  tag,
  summary: 'Create a resumable upload.',
  description: `Uses tus 1.0 (https://tus.io), which has clients in many languages. \`Upload-Metadata\` has pairs of a key and a base64 value: \`filename\` (required), \`filetype\`, \`tags\` (a JSON array), \`metadata\` (a JSON object) and \`on_duplicate\` (\`reuse\` or \`allow\`). Other keys, and keys without a value, are ignored. Send the bytes with PATCH to the URL in the Location header. The first bytes may be in the body of this request, with the Content-Type \`${chunkType}\`. Uploads that are not complete after ${limits.resumable_upload_hours} hours expire.`,
  scopes,
  idempotent: false,
  concurrency,
  consumes: [chunkType],
  bodyOptional: true,
  produces: [],
  headers: [
    versionHeader,
    {
      name: 'Upload-Length',
      required: true,
      schema: { type: 'integer', minimum: 1, maximum: limits.resumable_upload_bytes },
      description: 'The total size of the upload in bytes.',
    },
    {
      name: 'Upload-Metadata',
      required: true,
      schema: { type: 'string' },
      description: '`filename YS5wZGY=,tags WyJhIl0=`',
    },
    checksumHeader,
  ],
  responses: { 201: null },
  problems: ['quota_exceeded', ...chunkProblems, 'validation_failed'],
  handler: async (call) => {
    const { status, headers } = await runTus(call, { method: 'POST' });
    if (status !== 201) throw new Error(`The creation of an upload ended with ${status}.`);
    return stream(201, null, headers);
  },
});

const get = streamRoute({
  method: 'GET',
  path: '/v1/uploads/{id}',
  operationId: 'getUpload',
  tag,
  summary: 'Get an upload with its progress and result.',
  description:
    'HEAD follows tus: it requires Tus-Resumable and returns Upload-Offset, Upload-Length and Upload-Metadata, and Object-Id once the upload is complete. GET requires no tus headers.',
  scopes,
  concurrency,
  // HEAD finishes an upload whose bytes have all arrived.
  writes: true,
  params: { id: 'upload' },
  responses: { 200: ResumableUpload },
  problems: ['tus_version_unsupported', 'upload_expired', 'policy_denied'],
  load: (call) => findUpload(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { resource } = call;
    if (call.ctx.method !== 'HEAD') {
      const { objectId, projectId } = resource;
      const image = objectId
        ? await call.inProject((tx) => findImageId(tx, projectId, objectId))
        : null;
      return ok(presentUpload(resource, await storedBytesOf(call.deps.storage, resource), image));
    }
    const { headers } = await runTus(call, { method: 'HEAD', upload: resource });
    return stream(200, Readable.from([]), headers);
  },
});

const append = streamRoute({
  method: 'PATCH',
  path: '/v1/uploads/{id}',
  operationId: 'appendToUpload',
  tag,
  summary: 'Append bytes to an upload.',
  description:
    'Received bytes are kept even if the connection breaks; HEAD returns the offset to continue from. The last bytes create the object, and the response has its identifier in Object-Id. Repeating the last PATCH with an empty body returns the same response. Clients that cannot send PATCH send POST with `X-HTTP-Method-Override: PATCH`.',
  scopes,
  rate: 'none',
  concurrency,
  consumes: [chunkType],
  produces: [],
  params: { id: 'upload' },
  headers: [
    versionHeader,
    {
      name: 'Upload-Offset',
      required: true,
      schema: { type: 'integer', minimum: 0 },
      description: 'The number of bytes sent so far. 409 if it is not the current offset.',
    },
    checksumHeader,
  ],
  responses: { 204: null },
  problems: chunkProblems,
  load: (call) => findUpload(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { headers } = await runTus(call, { method: 'PATCH', upload: call.resource });
    return noContent({ headers });
  },
});

const terminate = streamRoute({
  method: 'DELETE',
  path: '/v1/uploads/{id}',
  operationId: 'terminateUpload',
  tag,
  summary: 'Terminate an upload and delete its bytes.',
  description: 'Clients that cannot send DELETE send POST with `X-HTTP-Method-Override: DELETE`.',
  scopes,
  concurrency,
  params: { id: 'upload' },
  headers: [versionHeader],
  responses: { 204: null },
  problems: ['tus_version_unsupported', 'upload_locked', 'state_conflict'],
  load: (call) => findUpload(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { headers } = await runTus(call, { method: 'DELETE', upload: call.resource });
    return noContent({ headers });
  },
});

/** Validates a tus request and runs it. */
async function runTus(
  call: Omit<StreamCall<string, TObject, unknown>, 'resource' | 'params' | 'query'>,
  action: { method: TusRequest['method']; upload?: Upload },
): Promise<TusResponse> {
  const { method } = action;
  const { req, headers, signal, deps, origin, key } = call;
  try {
    if (method !== 'OPTIONS') requireVersion(headers);
    const chunk = method === 'PATCH' ? readChunkHeaders(req) : undefined;
    const { checksum: first, ...creation } =
      method === 'POST' ? readCreationHeaders(req) : { checksum: chunk };
    return await handleTus({
      ...action,
      headers,
      signal,
      keyId: key.caller.id,
      locks: deps.uploadLocks,
      work: { storage: deps.storage, origin, inProject: call.inProject },
      checksum: first,
      ...('length' in creation ? { wanted: creation } : {}),
      ...(method === 'PATCH' || method === 'POST' ? { pieces: readPieces(call) } : {}),
      disconnect: () => req.destroy(),
    });
  } catch (error) {
    if (error instanceof Problem && error.code === 'request_timeout') {
      // tus clients do not retry after a 408, but do after a broken connection.
      req.destroy();
    }
    discardBody(req, call.res);
    throw error;
  }
}

/** The body, requested from the client on the first read. */
async function* readPieces(call: { readable(): IncomingMessage }): AsyncGenerator<Buffer> {
  yield* readBody(call.readable(), Number.MAX_SAFE_INTEGER);
}

export const uploadRoutes = [announce, create, get, append, terminate];
