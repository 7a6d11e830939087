import type { ImageEditResults } from '@scriptorium/contracts/wire/library/image-edits';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { ApiProblem, requestFor, send } from '../../../api/request.ts';
import { changeMembers, memberRefOf } from '../../collections/members/change.ts';
import type { Item } from '../item.ts';
import { mayHaveImage } from '../list/pictures.ts';
import { batchSize, imagesOf, pageSize } from '../list/requests.ts';
import { forEach, type Outcome, retryWhileBusy, splitIntoBatches } from './run.ts';

/** Tags to add to items, or to remove from them. */
export interface TagChange {
  action: 'add' | 'remove';
  tags: string[];
}

type ProgressCallback = (settled: number) => void;

export function applyTagChange(
  tags: readonly string[],
  { action, tags: changedTags }: TagChange,
): string[] {
  const others = tags.filter((tag) => !changedTags.includes(tag));
  return action === 'add' ? [...tags, ...changedTags.filter((tag) => !tags.includes(tag))] : others;
}

/** Changes the tags of these images, or of those that match a filter. */
export function tagRequest(
  target: { ids: string[] } | { filter: ImageFilters; expected_count: number },
  { action, tags }: TagChange,
) {
  const patch = action === 'add' ? { add_tags: tags } : { remove_tags: tags };
  return requestFor('updateImages', { body: { ...target, patch, on_error: 'continue' } });
}

/** @throws ApiProblem if a whole request fails; failures of single items are in the outcome */
export async function tagItems(
  items: readonly Item[],
  change: TagChange,
  onProgress: ProgressCallback,
): Promise<Outcome> {
  const images = items.filter(({ kind }) => kind === 'image');
  const objects = items.filter(({ kind }) => kind === 'object');
  const ofImages = await tagImages(images, change, onProgress);
  const settled = ofImages.succeededIds.length + ofImages.failed.length;
  const ofObjects = await tagObjects(objects, change, (count) => onProgress(settled + count));
  return {
    ...ofObjects,
    succeededIds: [...ofImages.succeededIds, ...ofObjects.succeededIds],
    failed: [...ofImages.failed, ...ofObjects.failed],
  };
}

async function tagImages(
  items: readonly Item[],
  change: TagChange,
  onProgress: ProgressCallback,
): Promise<Outcome> {
  const outcome: Outcome = { succeededIds: [], failed: [] };
  const names = new Map(items.map(({ id, name }) => [id, name]));
  for (const batch of splitIntoBatches(items, batchSize)) {
    const ids = batch.map(({ id }) => id);
    const request = tagRequest({ ids }, change);
    const { data } = await retryWhileBusy(() => send(request));
    addResults(outcome, data, names);
    onProgress(outcome.succeededIds.length + outcome.failed.length);
  }
  return outcome;
}

/** @throws ApiProblem `count_changed` if the number of matches is not `expectedCount` */
export async function tagMatching(
  filter: ImageFilters,
  expectedCount: number,
  change: TagChange,
): Promise<Outcome> {
  const outcome: Outcome = { succeededIds: [], failed: [] };
  const { data } = await send(tagRequest({ filter, expected_count: expectedCount }, change));
  addResults(outcome, data, new Map());
  return outcome;
}

function addResults(outcome: Outcome, data: ImageEditResults, names: ReadonlyMap<string, string>) {
  for (const { id, problem } of data.results) {
    if (problem === null) outcome.succeededIds.push(id);
    else outcome.failed.push({ id, name: names.get(id) ?? id, reason: problem.detail });
  }
}

/** Changes objects one by one, each with If-Match, so that concurrent changes are not lost. */
async function tagObjects(
  items: readonly Item[],
  change: TagChange,
  onProgress: ProgressCallback,
): Promise<Outcome> {
  const updated = new Map<string, Pick<Item, 'tags' | 'version'>>();
  const tag = async (item: Item): Promise<void> => {
    const { tags, version } = (await tagObject(item, change)).data;
    updated.set(item.id, { tags, version });
  };
  return { ...(await forEach(items, tag, onProgress)), after: updated };
}

async function tagObject(item: Pick<Item, 'id' | 'tags' | 'version'>, change: TagChange) {
  let { tags, version } = item;
  for (let retriesLeft = 3; ; retriesLeft--) {
    try {
      return await send(
        requestFor('updateObject', {
          id: item.id,
          version,
          body: { tags: applyTagChange(tags, change) },
        }),
      );
    } catch (error) {
      const isOutdated = error instanceof ApiProblem && error.status === 412;
      if (!isOutdated || retriesLeft === 0) throw error;
      ({ tags, version } = (await send(requestFor('getObject', { id: item.id }))).data);
    }
  }
}

/** Maps members to the ids of their items. The member for an object that has an image is the image. */
async function membersOf(items: readonly Item[]): Promise<Map<string, string>> {
  const images = new Map(items.map(({ objectId, picture }) => [objectId, picture?.imageId]));
  const itemsToResolve = items.filter(
    (item) => item.kind === 'object' && item.picture === null && mayHaveImage(item),
  );
  for (const batch of splitIntoBatches(itemsToResolve, pageSize)) {
    const { data } = await retryWhileBusy(() =>
      send(imagesOf(batch.map(({ objectId }) => objectId))),
    );
    for (const image of data.data) images.set(image.object_id, image.id);
  }
  return new Map(items.map(({ id, objectId }) => [images.get(objectId) ?? id, id]));
}

/** The outcome of adding items to a collection. */
export interface AddToCollectionOutcome extends Outcome {
  /** The ids of the new members. The member for an object that has an image is the image. */
  members: string[];
  /** The number of items that were already members. */
  alreadyMemberCount: number;
}

/** @throws ApiProblem if the whole request fails; failures of single members are in the outcome */
export async function addToCollection(
  collectionId: string,
  items: readonly Item[],
  onProgress: ProgressCallback,
): Promise<AddToCollectionOutcome> {
  const outcome: AddToCollectionOutcome = {
    succeededIds: [],
    failed: [],
    members: [],
    alreadyMemberCount: 0,
  };
  const names = new Map(items.map(({ id, name }) => [id, name]));
  const members = await membersOf(items);
  for (const batch of splitIntoBatches([...members.keys()], batchSize)) {
    const { data } = await retryWhileBusy(() =>
      send(changeMembers(collectionId, { add: batch.map(memberRefOf) })),
    );
    for (const { resource_id: member, outcome: memberOutcome, problem } of data.results) {
      const id = members.get(member) ?? member;
      if (problem !== null)
        outcome.failed.push({ id, name: names.get(id) ?? id, reason: problem.detail });
      else if (memberOutcome === 'already_member') outcome.alreadyMemberCount += 1;
      else {
        outcome.succeededIds.push(id);
        outcome.members.push(member);
      }
    }
    onProgress(outcome.succeededIds.length + outcome.failed.length + outcome.alreadyMemberCount);
  }
  return outcome;
}
