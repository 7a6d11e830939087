import type { ImageEditResults } from '@scriptorium/contracts/wire/library/image-edits';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { ApiProblem, requestFor, send } from '../../../api/request.ts';
import { changeMembers, memberOf } from '../../collections/members/change.ts';
import type { Item } from '../item.ts';
import { batchSize, imagesOf, pageSize } from '../list/pages.ts';
import { hasPicture } from '../list/pictures.ts';
import { forEach, inBatches, type Outcome, patiently } from './run.ts';

/** Tags to add to items, or to remove from them. */
export interface TagChange {
  how: 'add' | 'remove';
  tags: string[];
}

type Progress = (settled: number) => void;

export function tagsAfter(tags: readonly string[], { how, tags: changed }: TagChange): string[] {
  const others = tags.filter((tag) => !changed.includes(tag));
  return how === 'add' ? [...tags, ...changed.filter((tag) => !tags.includes(tag))] : others;
}

/** Changes the tags of these images, or of those that match a filter. */
export function tagRequest(
  of: { ids: string[] } | { filter: ImageFilters; expected_count: number },
  { how, tags }: TagChange,
) {
  const patch = how === 'add' ? { add_tags: tags } : { remove_tags: tags };
  return requestFor('updateImages', { body: { ...of, patch, on_error: 'continue' } });
}

/** @throws ApiProblem if the whole request fails; failures of single images are in the outcome */
export async function tagImages(
  items: readonly Item[],
  change: TagChange,
  onProgress: Progress,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const names = new Map(items.map(({ id, name }) => [id, name]));
  for (const batch of inBatches(items, batchSize)) {
    const ids = batch.map(({ id }) => id);
    const request = tagRequest({ ids }, change);
    const { data } = await patiently(() => send(request));
    collect(outcome, data, names);
    onProgress(outcome.done.length + outcome.failed.length);
  }
  return outcome;
}

/** @throws ApiProblem `count_changed` if the number of matches is not `expected` */
export async function tagMatching(
  filter: ImageFilters,
  expected: number,
  change: TagChange,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const { data } = await send(tagRequest({ filter, expected_count: expected }, change));
  collect(outcome, data, new Map());
  return outcome;
}

function collect(outcome: Outcome, data: ImageEditResults, names: ReadonlyMap<string, string>) {
  for (const { id, problem } of data.results) {
    if (problem === null) outcome.done.push(id);
    else outcome.failed.push({ id, name: names.get(id) ?? id, reason: problem.detail });
  }
}

/** Changes objects one by one, each with If-Match, so that concurrent changes are not lost. */
export async function tagObjects(
  items: readonly Item[],
  change: TagChange,
  onProgress: Progress,
): Promise<Outcome> {
  const after = new Map<string, Pick<Item, 'tags' | 'version'>>();
  const tag = async (item: Item): Promise<void> => {
    const { tags, version } = (await tagObject(item, change)).data;
    after.set(item.id, { tags, version });
  };
  return { ...(await forEach(items, tag, onProgress)), after };
}

async function tagObject(item: Pick<Item, 'id' | 'tags' | 'version'>, change: TagChange) {
  let { tags, version } = item;
  for (let tries = 3; ; tries--) {
    try {
      return await send(
        requestFor('updateObject', {
          id: item.id,
          version,
          body: { tags: tagsAfter(tags, change) },
        }),
      );
    } catch (error) {
      const isOld = error instanceof ApiProblem && error.status === 412;
      if (!isOld || tries === 0) throw error;
      ({ tags, version } = (await send(requestFor('getObject', { id: item.id }))).data);
    }
  }
}

/** Maps items to resources that collections can contain: an image is represented by its object. */
async function membersOf(items: readonly Item[]): Promise<Map<string, string>> {
  const images = new Map(items.map(({ objectId, picture }) => [objectId, picture?.imageId]));
  const unknown = items.filter(
    (item) => item.kind === 'object' && item.picture === null && hasPicture(item),
  );
  for (const batch of inBatches(unknown, pageSize)) {
    const { data } = await patiently(() => send(imagesOf(batch.map(({ objectId }) => objectId))));
    for (const image of data.data) images.set(image.object_id, image.id);
  }
  return new Map(items.map(({ id, objectId }) => [images.get(objectId) ?? id, id]));
}

/** The outcome of adding items to a collection. */
export interface Collected extends Outcome {
  /** The new members, which are resources: an image is represented by its object. */
  members: string[];
  /** The number of items that were already members. */
  already: number;
}

/** @throws ApiProblem if the whole request fails; failures of single members are in the outcome */
export async function addToCollection(
  collectionId: string,
  items: readonly Item[],
  onProgress: Progress,
): Promise<Collected> {
  const outcome: Collected = { done: [], failed: [], members: [], already: 0 };
  const names = new Map(items.map(({ id, name }) => [id, name]));
  const members = await membersOf(items);
  for (const batch of inBatches([...members.keys()], batchSize)) {
    const { data } = await patiently(() =>
      send(changeMembers(collectionId, { add: batch.map(memberOf) })),
    );
    for (const { resource_id: member, outcome: became, problem } of data.results) {
      const id = members.get(member) ?? member;
      if (problem !== null)
        outcome.failed.push({ id, name: names.get(id) ?? id, reason: problem.detail });
      else if (became === 'already_member') outcome.already += 1;
      else {
        outcome.done.push(id);
        outcome.members.push(member);
      }
    }
    onProgress(outcome.done.length + outcome.failed.length + outcome.already);
  }
  return outcome;
}
