import { buffer } from 'node:stream/consumers';
import { sourceMimes } from '@scriptorium/contracts/documents/sources';
import { Problem } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import type { TObject } from 'typebox';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import type { CertificateContext } from '../../../jobs/certificates/pdf/index.ts';
import { findObject } from '../../../library/objects/load.ts';
import {
  chooseShownObject,
  drawTaskPayload,
  pageVariant,
  previewView,
  rejectTooManyDrawings,
} from '../../../library/objects/pages/page-image.ts';
import { PolicyDenied } from '../../../policies/denials.ts';
import { claimQuota } from '../../../policies/quotas.ts';
import { awaitVariant } from '../../downloads/await-variant.ts';
import { publicOrigin } from '../../downloads/signed-urls.ts';
import type { StreamCall } from '../../frame/route.ts';
import { verifyPath } from '../../verify/path.ts';

type Contents = Certificate['certificate'];
type Call = StreamCall<string, TObject, unknown>;

/** The picture is small, so a larger one was not drawn by us. */
const maxPictureBytes = 4 * 1024 * 1024;
const view = { ...previewView, mime: 'image/png' } as const;

/**
 * Reads what the PDF of a certificate shows besides the certificate. The name and the picture are
 * those of the redacted file, if the caller may read it.
 */
export async function readCertificateContext(
  call: Call,
  certificate: Contents,
): Promise<CertificateContext> {
  const origin = publicOrigin(call.deps.settings, call.headers);
  const verifyUrl = origin && `${origin}${verifyPath}?project=${certificate.project_id}`;
  const output = await findReadableOutput(call, certificate);
  return {
    verifyUrl: verifyUrl || null,
    filename: output?.filename ?? null,
    firstPage: output && (await readFirstPage(call, output)),
  };
}

/** The redacted file; null if it was deleted, or if the caller may not read it. */
async function findReadableOutput(call: Call, certificate: Contents): Promise<StoredObject | null> {
  const { key, origin } = call;
  const output = certificate.outputs[0];
  if (!output || !grants(key.scopes, 'objects:read')) return null;
  try {
    return await call.inProject(async (tx) => {
      const object = await findObject(tx, key.projectId, output.object_id);
      if (object?.state !== 'available' || object.sha256 !== output.sha256) return null;
      const shown = await chooseShownObject(tx, origin, object);
      return shown.id === object.id ? object : null;
    });
  } catch (error) {
    if (error instanceof PolicyDenied) return null;
    throw error;
  }
}

/** The first page as PNG; null if it cannot be drawn, or was not drawn in time. */
async function readFirstPage(call: Call, object: StoredObject): Promise<Uint8Array | null> {
  if (!sourceMimes.some((known) => known === object.mime)) return null;
  const { projectId } = call.key;
  try {
    const { sha256, bytes } = await awaitVariant(call, object, {
      variant: pageVariant(view),
      task: { kind: 'object.draw', payload: drawTaskPayload(object.id, view) },
      timeoutDetail: 'The page is being drawn.',
      toProblem: ({ message }) => new Problem('state_conflict', message),
      beforeRequest: async (tx) => {
        await rejectTooManyDrawings(tx, projectId);
        claimQuota(tx, projectId, 'storage_bytes', 1);
      },
    });
    if (bytes > maxPictureBytes) return null;
    return await buffer(await call.deps.storage.open(projectId, sha256));
  } catch (error) {
    // The certificate is complete without the picture.
    if (error instanceof Problem && error.status < 500) return null;
    throw error;
  }
}
