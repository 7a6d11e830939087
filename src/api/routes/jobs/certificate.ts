import { Readable } from 'node:stream';
import { Certificate, CertificateKeyRecord } from '@scriptorium/contracts/wire/certificates';
import { listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import {
  presentCertificateKey,
  readCertificateContents,
  signCertificate,
} from '../../../jobs/certificates/certificate.ts';
import { ensureKey, findKey } from '../../../jobs/certificates/keys.ts';
import { certificatePdf } from '../../../jobs/certificates/pdf/index.ts';
import { ok, stream } from '../../frame/reply.ts';
import { route, streamRoute } from '../../frame/route.ts';
import { page, readCursor } from '../../requests/cursor.ts';
import { readCertificateContext } from './certificate-context.ts';

const tag = 'Documents';

const certificate = streamRoute({
  method: 'GET',
  path: '/v1/documents/jobs/{id}/certificate',
  operationId: 'getCertificate',
  tag,
  summary: 'Get the signed certificate of a redaction.',
  description:
    'States what was redacted from which bytes, how the redaction was verified, and who reviewed it. The Ed25519 signature covers `certificate` as canonical JSON (RFC 8785); `GET /v1/documents/certificate-keys` has the public key. `Accept: application/pdf` returns a PDF for people, with the signed JSON attached; with the scope `objects:read`, it shows the name and the first page of the redacted file.',
  scopes: ['documents:read'],
  params: { id: 'job' },
  responses: { 200: Certificate },
  produces: ['application/json', 'application/pdf'],
  writes: true,
  problems: ['state_conflict'],
  load: (call) => readCertificateContents(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { projectId } = call.key;
    const { seal, open: unseal } = call.deps.seal;
    const key = await call.inProject((tx) => ensureKey(tx, { seal }, projectId));
    const signed = signCertificate({ unseal }, key, call.resource);
    if (call.ctx.accepts('application/json', 'application/pdf') !== 'application/pdf') {
      return ok(signed);
    }
    const context = await readCertificateContext(call, signed.certificate);
    const pdf = Buffer.from(await certificatePdf(signed, context));
    return stream(200, Readable.from([pdf]), {
      'Content-Type': 'application/pdf',
      'Content-Length': String(pdf.length),
      'Content-Disposition': `attachment; filename="certificate-${call.params.id}.pdf"`,
    });
  },
});

const keys = route({
  method: 'GET',
  path: '/v1/documents/certificate-keys',
  operationId: 'listCertificateKeys',
  tag,
  summary: 'List the public keys that verify certificates.',
  description: 'Empty before the first certificate of the project.',
  scopes: ['documents:read'],
  query: strictObject(listQuery()),
  responses: { 200: listSchema(CertificateKeyRecord) },
  handler: async (call) => {
    const key = await findKey(call.tx, call.key.projectId);
    const all = key ? [presentCertificateKey(key)] : [];
    // There is only one, so no page follows.
    const rows = readCursor(call) ? [] : all;
    return page(call, rows, {
      present: (row) => row,
      position: ({ id }) => [id],
      count: () => all.length,
    });
  },
});

export const certificateRoutes = [certificate, keys];
