import { Readable } from 'node:stream';
import { Problem } from '../../../contracts/problems.ts';
import { contentDisposition } from '../../../library/files/filename.ts';
import { chooseDelivery } from '../../../library/objects/delivery.ts';
import { findObject, requireAvailable } from '../../../library/objects/load.ts';
import { isKnown } from '../../preconditions.ts';
import { parseRange } from '../../range.ts';
import { stream } from '../../reply.ts';
import { streamRoute } from '../../route.ts';

export const getObjectContent = streamRoute({
  method: 'GET',
  path: '/v1/objects/{id}/content',
  operationId: 'getObjectContent',
  tag: 'Objects',
  summary: 'Download the bytes of an object.',
  description:
    'Whole, or one range of them (RFC 9110 §14). The ETag is the SHA-256 of the whole. Always as an attachment, with the type that the bytes have.',
  scopes: ['objects:download'],
  // Capped by how many run at once instead.
  rate: 'none',
  concurrency: 32,
  params: { id: 'object' },
  produces: [],
  responses: { 200: null, 206: null },
  problems: ['policy_denied', 'state_conflict', 'range_not_satisfiable'],
  load: async (call) => {
    const object = await findObject(call.tx, call.key.projectId, call.params.id);
    return object && chooseDelivery(call.tx, call.origin, object);
  },
  handler: async ({ ctx, headers, resource: { object, strip }, deps, key }) => {
    requireAvailable(object);
    if (strip.length > 0) throw notYetStripped();
    const etag = `"${object.sha256}"`;
    const common = {
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Content-Type': object.mime,
      'Content-Disposition': contentDisposition(object.filename),
      'Content-Security-Policy': `default-src 'none'; sandbox`,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      // Kept, but asked for again each time: a key may have been revoked meanwhile.
      'Cache-Control': 'private, no-cache',
    };
    // If-None-Match comes before Range (RFC 9110 §13.2.2); the frame makes the 304 of it.
    if (isKnown(headers['if-none-match'], etag)) return stream(200, null, common);
    const range = parseRange({
      range: headers.range,
      length: object.bytes,
      ifRange: ctx.get('If-Range') || undefined,
      etag,
    });
    if (range.kind === 'unsatisfiable') {
      const detail = `The object has ${object.bytes} bytes; the range asks for none of them.`;
      throw new Problem('range_not_satisfiable', detail, {
        headers: { 'Content-Range': `bytes */${object.bytes}` },
        errors: [{ header: 'Range', code: 'range_not_satisfiable', detail }],
      });
    }
    const part = range.kind === 'part' ? { start: range.start, end: range.end } : undefined;
    const body =
      ctx.method === 'HEAD'
        ? Readable.from([])
        : await deps.storage.open(key.projectId, object.sha256, part);
    if (!part) return stream(200, body, { ...common, 'Content-Length': String(object.bytes) });
    return stream(206, body, {
      ...common,
      'Content-Length': String(part.end - part.start + 1),
      'Content-Range': `bytes ${part.start}-${part.end}/${object.bytes}`,
    });
  },
});

/** What must not be delivered as it is, and cannot be delivered otherwise yet. */
function notYetStripped(): Problem {
  return new Problem('state_conflict', 'The image is not yet stripped of its metadata.', {
    retryable: true,
    headers: { 'Retry-After': '5' },
  });
}
