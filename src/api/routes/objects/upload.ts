import { Type } from 'typebox';
import type { Origin } from '../../../contracts/origin.ts';
import { invalid } from '../../../contracts/problems.ts';
import { UploadRecord } from '../../../contracts/wire/objects.ts';
import { strictObject } from '../../../contracts/wire/shapes.ts';
import type { StoredObject } from '../../../entities/stored-object.ts';
import { holdBytes } from '../../../library/bytes/hold.ts';
import { sniff } from '../../../library/files/sniff.ts';
import { lookThrough, sniffedTraits } from '../../../library/files/traits.ts';
import { imageOf } from '../../../library/images/load.ts';
import { createFromUpload } from '../../../library/objects/arrival/upload.ts';
import { presentObject } from '../../../library/objects/load.ts';
import type { Policy } from '../../../policies/decision/decide.ts';
import { PolicyDenied, type RefusedFile } from '../../../policies/denials.ts';
import { judgeUpload, type UploadFacts, uploadDenial } from '../../../policies/enforce.ts';
import { loadPolicies } from '../../../policies/store.ts';
import type { Received } from '../../../storage/storage.ts';
import { created, ok } from '../../frame/reply.ts';
import { streamRoute } from '../../frame/route.ts';
import { announcedFacts, announcedFilename } from '../../uploads/announced.ts';
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
instead of stored again, unless \`on_duplicate=allow\`. Where a security policy has to know what only a
look into the file tells (pixels, pages), the object is \`processing\` until then.`,
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
    'quota_exceeded',
    'malformed_request',
    'request_timeout',
    'policy_denied',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    'storage_full',
  ],
  // Read with the login: what a policy refuses for certain is refused before its bytes are sent.
  load: (call) => loadPolicies(call.tx, call.key.projectId, 'upload'),
  handler: async (call) => {
    const { storage } = call.deps;
    const { projectId } = call.key;
    let received: Received | null = null;
    try {
      refuse(call.resource, call.origin, announcedFacts(call.req), {
        filename: announcedFilename(call.req),
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
      // A repeated request is answered as it was; of any other, refused bytes are not even kept.
      if (sniffed && received && call.headers['idempotency-key'] === undefined) {
        const facts = {
          mime: sniffed.mime,
          bytes: received.bytes,
          tags,
          ...(sniffed.scanNeeded ? {} : { traits: sniffedTraits(sniffed) }),
        };
        refuse(call.resource, call.origin, facts, { filename, sha256: received.sha256 });
      }
      // Before the transaction, which holds them: it need not wait for storage then.
      if (upload.faults.length === 0) await received?.commit();
      const known =
        sniffed && received && upload.faults.length === 0
          ? await lookThrough(sniffed, hints, () => storage.open(projectId, received!.sha256))
          : null;
      return await call.inProject((tx) =>
        call.idempotently(tx, upload.fingerprint, async () => {
          if (!received || !known || upload.faults.length > 0) throw invalid(upload.faults);
          const content = await holdBytes(tx, projectId, received);
          const { object, deduplicated } = await createFromUpload(tx, call.origin, {
            ...{ filename, ...known, content, tags, metadata },
            onDuplicate: call.query.on_duplicate,
          });
          const image = await imageOf(tx, projectId, object.id);
          return answer(object, image, deduplicated, upload.described);
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

/** Refuses by what is known so far; what may yet turn out well goes on. */
function refuse(
  policies: readonly Policy[],
  origin: Origin,
  facts: UploadFacts,
  file: RefusedFile,
): void {
  const judged = judgeUpload(policies, origin, { objectId: null, facts });
  if (judged.decision !== 'deny') return;
  throw new PolicyDenied(uploadDenial({ objectId: null, file }, judged));
}

function answer(
  object: StoredObject,
  imageId: string | null,
  deduplicated: boolean,
  described: boolean,
) {
  const ignored = deduplicated && described;
  const warnings: UploadRecord['warnings'] = ignored ? ['tags_ignored'] : [];
  const body: UploadRecord = {
    ...presentObject(object),
    image_id: imageId,
    deduplicated,
    warnings,
  };
  const options = { version: object.version };
  return deduplicated ? ok(body, options) : created(body, `/v1/objects/${object.id}`, options);
}
