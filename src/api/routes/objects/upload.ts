import { validationFailed } from '@scriptorium/contracts/problems';
import { UploadRecord } from '@scriptorium/contracts/wire/library/objects';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import { retainBytes } from '../../../library/bytes/retain.ts';
import { sniff } from '../../../library/files/sniff.ts';
import { certainFacts, readTypeAndTraits } from '../../../library/files/traits.ts';
import { createFromUpload, type UploadedObject } from '../../../library/objects/arrival/upload.ts';
import { presentObject } from '../../../library/objects/load.ts';
import { rejectDeniedUpload } from '../../../policies/enforce.ts';
import { loadPolicies } from '../../../policies/queries.ts';
import type { ReceivedBytes } from '../../../storage/storage.ts';
import { created, ok } from '../../frame/reply.ts';
import { streamRoute } from '../../frame/route.ts';
import { discardBody } from '../../uploads/bytes.ts';
import { readDeclaredFacts, readDeclaredFilename } from '../../uploads/declared-facts.ts';
import { receiveUpload, storageProblem } from '../../uploads/receive.ts';

export const uploadObject = streamRoute({
  method: 'POST',
  path: '/v1/objects',
  operationId: 'uploadObject',
  tag: 'Objects',
  summary: 'Upload a file.',
  description: `Send a form (multipart/form-data) with one part \`file\` and optional parts \`tags\` (repeated, or a JSON array) and \`metadata\` (a JSON object), in any order. Or send the bytes of the file with any other Content-Type and the header \`X-Filename\` (percent-encoded UTF-8, or an extended value as in RFC 8187). The media type is detected from the bytes. If an available object with the same bytes and filename exists, it is returned with 200, unless \`on_duplicate=allow\`. If a security policy depends on properties that require inspection (pixels, pages), the object is \`processing\` until they are known.`,
  scopes: ['objects:write'],
  consumes: ['multipart/form-data', 'application/octet-stream'],
  query: strictObject({
    on_duplicate: Type.Enum(['reuse', 'allow'], {
      default: 'reuse',
      description: '`allow` always creates a new object.',
    }),
  }),
  responses: { 200: UploadRecord, 201: UploadRecord },
  problems: [
    'quota_exceeded',
    'malformed_request',
    'request_timeout',
    'policy_denied',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    'unknown_field',
    'storage_full',
  ],
  // Loaded with the login, so that uploads that policies certainly deny are rejected before their
  // bytes are read.
  load: (call) => loadPolicies(call.tx, call.key.projectId, 'upload'),
  handler: async (call) => {
    const { storage } = call.deps;
    const { projectId } = call.key;
    let received: ReceivedBytes | null = null;
    try {
      rejectDeniedUpload(call.resource, call.origin, readDeclaredFacts(call.req), {
        filename: readDeclaredFilename(call.req),
        sha256: null,
      });
      const upload = await receiveUpload({
        request: call.req,
        readable: call.readable,
        storage,
        projectId,
        signal: call.signal,
      });
      received = upload.received;
      const { filename, declaredMime, tags, metadata } = upload;
      const hints = { filename, declaredMime, bytes: received?.bytes };
      const sniffed = received && sniff(received.head, hints);
      // A request with an Idempotency-Key may have a stored response. For other requests, denied
      // bytes are discarded.
      if (sniffed && received && call.headers['idempotency-key'] === undefined) {
        const facts = { ...certainFacts(sniffed), bytes: received.bytes, tags };
        rejectDeniedUpload(call.resource, call.origin, facts, {
          filename,
          sha256: received.sha256,
        });
      }
      // Before the transaction, which must not wait for storage.
      if (upload.faults.length === 0) await received?.commit();
      const traits =
        sniffed && received && upload.faults.length === 0
          ? await readTypeAndTraits(sniffed, hints, (range) =>
              storage.open(projectId, received!.sha256, range),
            )
          : null;
      return await call.inProject((tx) =>
        call.idempotently(tx, upload.fingerprint, async () => {
          if (!received || !traits || upload.faults.length > 0)
            throw validationFailed(upload.faults);
          const content = await retainBytes(tx, projectId, received);
          const uploaded = await createFromUpload(tx, call.origin, {
            filename,
            ...traits,
            content,
            tags,
            metadata,
            onDuplicate: call.query.on_duplicate,
          });
          return replyToUpload(uploaded, upload.hasDetails);
        }),
      );
    } catch (error) {
      discardBody(call.req, call.res);
      throw storageProblem(error);
    } finally {
      await received?.discard();
    }
  },
});

function replyToUpload({ object, imageId, deduplicated }: UploadedObject, hasDetails: boolean) {
  const areDetailsIgnored = deduplicated && hasDetails;
  const warnings: UploadRecord['warnings'] = areDetailsIgnored ? ['tags_ignored'] : [];
  const body: UploadRecord = {
    ...presentObject(object),
    image_id: imageId,
    deduplicated,
    warnings,
  };
  const options = { version: object.version };
  return deduplicated ? ok(body, options) : created(body, `/v1/objects/${object.id}`, options);
}
