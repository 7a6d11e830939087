import type { ObjectRecord } from '../../../contracts/wire/objects.ts';
import { asProblem } from '../../api/hooks.ts';
import { ApiProblem, send } from '../../api/request.ts';
import { getObject } from '../browse/requests.ts';
import type { Target } from './inbox.ts';
import type { UploadItem } from './queue.ts';
import { addMember, getUpload, imageOf } from './requests.ts';
import { rejected } from './transfer.ts';

const firstLookMs = 400;
const longestLookMs = 8_000;

type Settled = Pick<UploadItem, 'stage' | 'object' | 'imageId' | 'problem'>;

/**
 * What became of an upload whose bytes are all there: waits until its object is available or refused,
 * and puts it into the collection it was meant for.
 * @throws ApiProblem for a line that is down, or a session that is over
 */
export async function settle(uploadId: string, target: Target | null): Promise<Settled> {
  const { data: upload } = await send(getUpload(uploadId));
  if (upload.object_id === null) {
    const problem = rejected(upload.rejection ?? { detail: `The upload is ${upload.state}.` });
    return { stage: 'refused', object: null, imageId: null, problem };
  }
  const object = await followObject(upload.object_id);
  if (object.state === 'rejected' || object.state === 'failed') {
    const problem = rejected(object.rejection ?? {});
    return { stage: 'refused', object, imageId: null, problem };
  }
  const imageId = object.mime.startsWith('image/') ? await imageIdOf(object.id) : null;
  const problem = target ? await putInto(target, object, imageId) : null;
  return { stage: upload.deduplicated ? 'present' : 'stored', object, imageId, problem };
}

async function followObject(id: string): Promise<ObjectRecord> {
  for (let wait = firstLookMs; ; wait = Math.min(wait * 1.5, longestLookMs)) {
    const { data } = await send(getObject(id));
    if (data.state !== 'processing') return data;
    await new Promise((resolve) => window.setTimeout(resolve, wait));
  }
}

/** Null also for a key that may not read images. */
async function imageIdOf(objectId: string): Promise<string | null> {
  try {
    const { data } = await send(imageOf(objectId));
    return data.data[0]?.id ?? null;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 403) return null;
    throw error;
  }
}

/** Why it is not in the collection; null when it is. */
async function putInto(
  target: Target,
  object: ObjectRecord,
  imageId: string | null,
): Promise<ApiProblem | null> {
  try {
    const member = imageId
      ? ({ resource_type: 'image', resource_id: imageId } as const)
      : ({ resource_type: 'object', resource_id: object.id } as const);
    await send(addMember(target.id, member));
    return null;
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status === 0 || problem.status === 401) throw problem;
    return problem;
  }
}
