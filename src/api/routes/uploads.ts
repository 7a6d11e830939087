import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { TObject } from 'typebox';
import { limits } from '../../contracts/limits.ts';
import type { ProblemCode } from '../../contracts/problems.ts';
import { Problem } from '../../contracts/problems.ts';
import { ResumableUpload } from '../../contracts/wire/uploads.ts';
import type { Upload } from '../../entities/upload.ts';
import { imageOf } from '../../library/images/load.ts';
import { arrivedOf, findUpload, presentUpload } from '../../library/uploads/load.ts';
import { noContent, ok, stream } from '../frame/reply.ts';
import { type RequestHeader, type StreamCall, streamRoute } from '../frame/route.ts';
import { bodyBytes, hearOut } from '../uploads/bytes.ts';
import { speakTus, type TusAnswer, type TusRequest } from '../uploads/tus.ts';
import {
  checksumAlgorithms,
  chunkType,
  readChunkHeaders,
  readCreation,
  requireVersion,
} from '../uploads/tus-headers.ts';

const tag = 'Uploads';
/** One scope for all of an upload, reading how far it is included. */
const scopes = ['objects:write'] as const;
/** What a PATCH takes may take hours; how many run at once is what is capped. */
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

const version: RequestHeader = {
  name: 'Tus-Resumable',
  required: true,
  schema: { const: '1.0.0' },
  description: 'The version of tus. 412 without it.',
};
const checksum: RequestHeader = {
  name: 'Upload-Checksum',
  schema: { type: 'string' },
  description: `An algorithm (${checksumAlgorithms.join(', ')}), a space and the base64 digest of this body. A body that does not fit is 460, and nothing of it is kept.`,
};

const announce = streamRoute({
  method: 'OPTIONS',
  path: '/v1/uploads',
  operationId: 'describeUploads',
  tag,
  summary: 'Ask what of tus is served here.',
  description:
    'Answers Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm. It needs the two headers, like all of `/v1`.',
  scopes,
  rate: 'read',
  produces: [],
  responses: { 204: null },
  handler: async (call) => {
    const { headers } = await speak(call, { method: 'OPTIONS' });
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
  summary: 'Begin an upload that survives a broken line.',
  description: `tus 1.0 (https://tus.io), which has clients in many languages. \`Upload-Metadata\` is pairs of a key and a
base64 value: \`filename\` (needed), \`filetype\`, \`tags\` (a JSON array), \`metadata\` (a JSON object) and
\`on_duplicate\` (\`reuse\` or \`allow\`). The answer's Location is where the bytes go, by PATCH. The first of
them may come at once, with the Content-Type \`${chunkType}\`. What has not arrived in
${limits.resumable_upload_hours} hours is dropped.`,
  scopes,
  idempotent: false,
  concurrency,
  consumes: [chunkType],
  bodyOptional: true,
  produces: [],
  headers: [
    version,
    {
      name: 'Upload-Length',
      required: true,
      schema: { type: 'integer', minimum: 1, maximum: limits.resumable_upload_bytes },
      description: 'How many bytes there will be.',
    },
    {
      name: 'Upload-Metadata',
      required: true,
      schema: { type: 'string' },
      description: '`filename YS5wZGY=,tags WyJhIl0=`',
    },
    checksum,
  ],
  responses: { 201: null },
  problems: ['quota_exceeded', ...chunkProblems, 'validation_failed'],
  handler: async (call) => {
    const { status, headers } = await speak(call, { method: 'POST' });
    if (status !== 201) throw new Error(`The creation of an upload ended with ${status}.`);
    return stream(201, null, headers);
  },
});

const get = streamRoute({
  method: 'GET',
  path: '/v1/uploads/{id}',
  operationId: 'getUpload',
  tag,
  summary: 'Get an upload: how far it is, and what it became.',
  description:
    'HEAD is of tus: with Tus-Resumable it answers Upload-Offset, Upload-Length and Upload-Metadata, and when all is there Object-Id. GET needs no header of tus.',
  scopes,
  concurrency,
  // HEAD ends an upload of which all has arrived.
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
        ? await call.inProject((tx) => imageOf(tx, projectId, objectId))
        : null;
      return ok(presentUpload(resource, await arrivedOf(call.deps.storage, resource), image));
    }
    const { headers } = await speak(call, { method: 'HEAD', upload: resource });
    return stream(200, Readable.from([]), headers);
  },
});

const append = streamRoute({
  method: 'PATCH',
  path: '/v1/uploads/{id}',
  operationId: 'appendToUpload',
  tag,
  summary: 'Send bytes of an upload.',
  description:
    'What arrives stays, also when the line breaks; HEAD tells from where to go on. The last bytes make the object: the answer names it in Object-Id. Sent again, an empty last PATCH answers the same.',
  scopes,
  rate: 'none',
  concurrency,
  consumes: [chunkType],
  produces: [],
  params: { id: 'upload' },
  headers: [
    version,
    {
      name: 'Upload-Offset',
      required: true,
      schema: { type: 'integer', minimum: 0 },
      description: 'How many bytes came before; 409 when it is another number.',
    },
    checksum,
  ],
  responses: { 204: null },
  problems: chunkProblems,
  load: (call) => findUpload(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { headers } = await speak(call, { method: 'PATCH', upload: call.resource });
    return noContent({ headers });
  },
});

const terminate = streamRoute({
  method: 'DELETE',
  path: '/v1/uploads/{id}',
  operationId: 'terminateUpload',
  tag,
  summary: 'Give an upload up, with the bytes that have arrived.',
  scopes,
  concurrency,
  params: { id: 'upload' },
  headers: [version],
  responses: { 204: null },
  problems: ['tus_version_unsupported', 'upload_locked', 'state_conflict'],
  load: (call) => findUpload(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { headers } = await speak(call, { method: 'DELETE', upload: call.resource });
    return noContent({ headers });
  },
});

/** Reads a request by the rules of tus and ours, and has it answered. */
async function speak(
  call: Omit<StreamCall<string, TObject, unknown>, 'resource' | 'params' | 'query'>,
  what: { method: TusRequest['method']; upload?: Upload },
): Promise<TusAnswer> {
  const { method } = what;
  const { req, headers, signal, deps, origin, key } = call;
  try {
    if (method !== 'OPTIONS') requireVersion(headers);
    const chunk = method === 'PATCH' ? readChunkHeaders(req) : undefined;
    const { checksum: first, ...wanted } =
      method === 'POST' ? readCreation(req) : { checksum: chunk };
    return await speakTus({
      ...what,
      headers,
      signal,
      keyId: key.keyId,
      locks: deps.uploadLocks,
      work: { storage: deps.storage, origin, inProject: call.inProject },
      checksum: first,
      ...('length' in wanted ? { wanted } : {}),
      ...(method === 'PATCH' || method === 'POST' ? { pieces: readPieces(call) } : {}),
      cut: () => req.destroy(),
    });
  } catch (error) {
    if (error instanceof Problem && error.code === 'request_timeout') {
      // Clients of tus take a 408 for the last word, and a broken line for what it is.
      req.destroy();
    }
    hearOut(req, call.res);
    throw error;
  }
}

/** The body, asked for when the first piece is. */
async function* readPieces(call: { readable(): IncomingMessage }): AsyncGenerator<Buffer> {
  yield* bodyBytes(call.readable(), Number.MAX_SAFE_INTEGER);
}

export const uploadRoutes = [announce, create, get, append, terminate];
