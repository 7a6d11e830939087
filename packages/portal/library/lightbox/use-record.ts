import type { ImagePatch, ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectPatch, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useRef, useState } from 'preact/hooks';
import { asProblem, useResource } from '../../api/hooks.ts';
import { ApiProblem, type ApiRequest, requestFor, send } from '../../api/request.ts';
import { type Item, pictureOf } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';

/** The fields that are edited in place; the first two only apply to images. */
interface EditableFields {
  title: string | null;
  description: string | null;
  filename: string;
  tags: string[];
}
type Patch = Partial<EditableFields>;

/** The record of an item, and functions that change it. */
export interface RecordEditor {
  isImage: boolean;
  record: (EditableFields & { version: number }) | undefined;
  /** The image of the item, if it has one. */
  image: ImageRecord | undefined;
  problem: ApiProblem | undefined;
  busy: boolean;
  save: (patch: Patch) => void;
  /** Undoes the last change, if any. */
  undo: (() => void) | undefined;
}

/** Loads the record of an item, and saves changes one after the other. */
export function useRecord(item: Item, results: Results): RecordEditor {
  const imageId = item.picture?.imageId;
  const isImage = imageId !== undefined;
  const image = useResource(imageId ? requestFor('getImage', { id: imageId }) : null);
  const object = useResource(isImage ? null : requestFor('getObject', { id: item.objectId }));
  const loaded = isImage ? image.data : object.data;
  const record = loaded && {
    title: null,
    description: null,
    ...loaded,
  };
  const [pendingCount, setPendingCount] = useState(0);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [undoPatch, setUndoPatch] = useState<Patch | undefined>();
  // Each change is sent with the version returned by the previous one.
  const queue = useRef<Promise<void>>(Promise.resolve());
  const latestRecord = useRef(record);
  if (record && record.version > (latestRecord.current?.version ?? 0))
    latestRecord.current = record;

  const applyUpdate = (updated: ImageRecord | ObjectRecord): void => {
    latestRecord.current = { title: null, description: null, ...updated };
    if ('object_id' in updated) image.replace({ data: updated, etag: null });
    else object.replace({ data: updated, etag: null });
    results.edit((one) => (one.objectId === item.objectId ? applyRecord(one, updated) : one));
  };
  const change = async (patch: Patch, isUndo: boolean): Promise<void> => {
    const current = latestRecord.current;
    if (!current) return;
    const previousValues = Object.fromEntries(
      Object.keys(patch).map((name) => [name, current[name as keyof EditableFields]]),
    );
    setPendingCount((now) => now + 1);
    setProblem(undefined);
    try {
      const request = (version: number): ApiRequest<ImageRecord | ObjectRecord> =>
        imageId
          ? requestFor('updateImage', { id: imageId, version, body: patch satisfies ImagePatch })
          : requestFor('updateObject', {
              id: item.objectId,
              version,
              body: patch satisfies ObjectPatch,
            });
      applyUpdate((await send(request(current.version))).data);
      setUndoPatch(isUndo ? undefined : previousValues);
    } catch (error) {
      const isOutdated = error instanceof ApiProblem && error.status === 412;
      setProblem(asProblem(error));
      // Loads the conflicting version, so that the user can repeat the change.
      if (isOutdated) (isImage ? image : object).reload();
    } finally {
      setPendingCount((now) => now - 1);
    }
  };
  const enqueue = (patch: Patch, isUndo: boolean): void => {
    queue.current = queue.current.then(() => change(patch, isUndo));
  };
  return {
    isImage,
    record,
    image: image.data,
    problem: problem ?? (isImage ? image.problem : object.problem),
    busy: pendingCount > 0,
    save: (patch) => enqueue(patch, false),
    undo: undoPatch && (() => enqueue(undoPatch, true)),
  };
}

function applyRecord(item: Item, record: ImageRecord | ObjectRecord): Item {
  const isImage = 'object_id' in record;
  return {
    ...item,
    name: (isImage ? record.title : null) ?? record.filename,
    filename: record.filename,
    tags: record.tags,
    version: record.version,
    picture: isImage ? pictureOf(record) : item.picture,
  };
}
