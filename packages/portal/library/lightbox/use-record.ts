import type { ImagePatch, ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectPatch, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useRef, useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../api/hooks.ts';
import { ApiProblem, type ApiRequest, requestFor, send } from '../../api/request.ts';
import { type Item, pictureOf } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';

/** The fields that are edited in place; the first two only apply to images. */
interface Editable {
  title: string | null;
  description: string | null;
  filename: string;
  tags: string[];
}
type Patch = Partial<Editable>;

/** The record of an item, and the functions that change it. */
export interface Saved {
  isImage: boolean;
  record: (Editable & { version: number }) | undefined;
  problem: ApiProblem | undefined;
  busy: boolean;
  save: (patch: Patch) => void;
  /** Undoes the last change, if any. */
  undo: (() => void) | undefined;
}

/** Loads the record of an item, and saves changes one after the other. */
export function useRecord(item: Item, results: Results): Saved {
  const imageId = item.picture?.imageId;
  const isImage = imageId !== undefined;
  const image = useAnswer(imageId ? requestFor('getImage', { id: imageId }) : null);
  const object = useAnswer(isImage ? null : requestFor('getObject', { id: item.objectId }));
  const loaded = isImage ? image.data : object.data;
  const record = loaded && {
    title: null,
    description: null,
    ...loaded,
  };
  const [busy, setBusy] = useState(0);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [before, setBefore] = useState<Patch | undefined>();
  // Each change is sent with the version returned by the previous one.
  const queue = useRef<Promise<void>>(Promise.resolve());
  const latest = useRef(record);
  if (record && record.version > (latest.current?.version ?? 0)) latest.current = record;

  const put = (now: ImageRecord | ObjectRecord): void => {
    latest.current = { title: null, description: null, ...now };
    if ('object_id' in now) image.put({ data: now, etag: null });
    else object.put({ data: now, etag: null });
    results.edit((one) => (one.objectId === item.objectId ? editedItem(one, now) : one));
  };
  const change = async (patch: Patch, isUndo: boolean): Promise<void> => {
    const current = latest.current;
    if (!current) return;
    const former = Object.fromEntries(
      Object.keys(patch).map((name) => [name, current[name as keyof Editable]]),
    );
    setBusy((now) => now + 1);
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
      put((await send(request(current.version))).data);
      setBefore(isUndo ? undefined : former);
    } catch (error) {
      const isOld = error instanceof ApiProblem && error.status === 412;
      setProblem(asProblem(error));
      // Shows the version saved by another person; the change can then be made again.
      if (isOld) (isImage ? image : object).reload();
    } finally {
      setBusy((now) => now - 1);
    }
  };
  const enqueue = (patch: Patch, isUndo: boolean): void => {
    queue.current = queue.current.then(() => change(patch, isUndo));
  };
  return {
    isImage,
    record,
    problem: problem ?? (isImage ? image.problem : object.problem),
    busy: busy > 0,
    save: (patch) => enqueue(patch, false),
    undo: before && (() => enqueue(before, true)),
  };
}

function editedItem(item: Item, now: ImageRecord | ObjectRecord): Item {
  const isImage = 'object_id' in now;
  return {
    ...item,
    name: (isImage ? now.title : null) ?? now.filename,
    filename: now.filename,
    tags: now.tags,
    version: now.version,
    picture: isImage ? pictureOf(now) : item.picture,
  };
}
