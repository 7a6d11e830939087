import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { asProblem } from '../../../api/hooks.ts';
import { ApiProblem, requestFor, send } from '../../../api/request.ts';
import type { UploadTarget } from '../upload-events.ts';
import type { UploadItem } from './item.ts';
import { rejectionProblem } from './transfer.ts';

const initialPollMs = 400;
const maxPollMs = 8_000;

type UploadOutcome = Pick<UploadItem, 'stage' | 'object' | 'imageId' | 'problem'>;

/**
 * Waits until the object of a completed upload is available or rejected, and adds it to its collection.
 * @throws ApiProblem if the connection or the session is lost
 */
export async function finishUpload(
  uploadId: string,
  target: UploadTarget | null,
): Promise<UploadOutcome> {
  const { data: upload } = await send(requestFor('getUpload', { id: uploadId }));
  if (upload.object_id === null) {
    const problem = rejectionProblem(
      upload.rejection ?? { detail: `The upload is ${upload.state}.` },
    );
    return { stage: 'rejected', object: null, imageId: null, problem };
  }
  const object = await waitForObject(upload.object_id);
  if (object.state === 'rejected' || object.state === 'failed') {
    const problem = rejectionProblem(object.rejection ?? {});
    return { stage: 'rejected', object, imageId: null, problem };
  }
  const imageId = object.mime.startsWith('image/') ? await imageIdOf(object.id) : null;
  const problem = target ? await addToTarget(target, object, imageId) : null;
  return { stage: upload.deduplicated ? 'present' : 'stored', object, imageId, problem };
}

async function waitForObject(id: string): Promise<ObjectRecord> {
  for (let delayMs = initialPollMs; ; delayMs = Math.min(delayMs * 1.5, maxPollMs)) {
    const { data } = await send(requestFor('getObject', { id }));
    if (data.state !== 'processing') return data;
    await new Promise((resolve) => window.setTimeout(resolve, delayMs));
  }
}

/** Returns the image of an object; null without an image, or if the key cannot read images. */
async function imageIdOf(objectId: string): Promise<string | null> {
  try {
    const { data } = await send(requestFor('searchImages', { object_id: objectId }));
    return data.data[0]?.id ?? null;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 403) return null;
    throw error;
  }
}

/** Adds the object to the collection; returns the problem if that fails. */
async function addToTarget(
  target: UploadTarget,
  object: ObjectRecord,
  imageId: string | null,
): Promise<ApiProblem | null> {
  try {
    const member = imageId
      ? ({ resource_type: 'image', resource_id: imageId } as const)
      : ({ resource_type: 'object', resource_id: object.id } as const);
    await send(requestFor('addCollectionMember', { id: target.id, body: member }));
    return null;
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status === 0 || problem.status === 401) throw problem;
    return problem;
  }
}
