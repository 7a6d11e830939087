import { Type } from 'typebox';
import { invalid } from '../../../contracts/problems.ts';
import { UploadRecord } from '../../../contracts/wire/objects.ts';
import { strictObject } from '../../../contracts/wire/shapes.ts';
import type { StoredObject } from '../../../entities/stored-object.ts';
import { holdBytes } from '../../../library/bytes/hold.ts';
import { sniff } from '../../../library/files/sniff.ts';
import { presentObject } from '../../../library/objects/load.ts';
import { createFromUpload } from '../../../library/objects/upload.ts';
import type { Received } from '../../../storage/storage.ts';
import { created, ok } from '../../reply.ts';
import { streamRoute } from '../../route.ts';
import { hearOut } from '../../uploads/bytes.ts';
import { asProblem, receiveUpload } from '../../uploads/receive.ts';

export const uploadObject = streamRoute({
  method: 'POST',
  path: '/v1/objects',
  operationId: 'uploadObject',
  tag: 'Objects',
  summary: 'Upload a file.',
  description: `As a form (multipart/form-data) with one part \`file\`, and in any order \`tags\` (repeated, or a
JSON array) and \`metadata\` (a JSON object); or as the bytes of the file with any other Content-Type
and the header \`X-Filename\`, percent-encoded UTF-8 or an extended value of RFC 8187. The type of the
file is told from its bytes. An available upload with the same bytes and name is answered with 200
instead of stored again, unless \`on_duplicate=allow\`.`,
  scopes: ['objects:write'],
  consumes: ['multipart/form-data', 'application/octet-stream'],
  query: strictObject({
    on_duplicate: Type.Enum(['reuse', 'allow'], {
      default: 'reuse',
      description: '`allow` makes a new object in any case.',
    }),
  }),
  responses: { 200: UploadRecord, 201: UploadRecord },
  problems: [
    'malformed_request',
    'request_timeout',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    'storage_full',
  ],
  handler: async (call) => {
    let received: Received | null = null;
    try {
      const upload = await receiveUpload({
        request: call.req,
        readable: call.readable,
        storage: call.deps.storage,
        projectId: call.key.projectId,
        signal: call.signal,
      });
      received = upload.received;
      // Before the transaction, which holds them: it need not wait for storage then.
      if (upload.faults.length === 0) await received?.commit();
      return await call.inProject((tx) =>
        call.idempotently(tx, upload.fingerprint, async () => {
          const { faults, filename, declaredMime, tags, metadata } = upload;
          if (!received || faults.length > 0) throw invalid(faults);
          const { bytes, head } = received;
          const { mime } = sniff(head, { filename, declaredMime, bytes });
          const content = await holdBytes(tx, call.key.projectId, received);
          const { object, deduplicated } = await createFromUpload(tx, call.origin, {
            ...{ filename, mime, content, tags, metadata },
            onDuplicate: call.query.on_duplicate,
          });
          return answer(object, deduplicated, upload.described);
        }),
      );
    } catch (error) {
      hearOut(call.req, call.res);
      throw asProblem(error);
    } finally {
      await received?.discard();
    }
  },
});

function answer(object: StoredObject, deduplicated: boolean, described: boolean) {
  const ignored = deduplicated && described;
  const warnings: UploadRecord['warnings'] = ignored ? ['tags_ignored'] : [];
  const body: UploadRecord = { ...presentObject(object), deduplicated, warnings };
  const options = { version: object.version };
  return deduplicated ? ok(body, options) : created(body, `/v1/objects/${object.id}`, options);
}
