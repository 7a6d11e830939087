import type { ObjectRecord } from '../../../contracts/wire/objects.ts';
import { asProblem } from '../../api/hooks.ts';
import { type ApiProblem, fetchOrProblem, send } from '../../api/request.ts';
import type { ChosenFile } from './files.ts';
import { type Target, tellStored } from './inbox.ts';
import { terminateUpload } from './requests.ts';
import { settle } from './settle.ts';
import { startTransfer, type Transfer } from './transfer.ts';
import { claim, forget, remember, type Unfinished } from './unfinished.ts';

/** Where an upload is. The last three are ends. */
export type Stage =
  | 'waiting'
  | 'sending'
  | 'paused'
  /** The line is down or the service busy: it goes on by itself. */
  | 'interrupted'
  /** All bytes are there; the service looks at them. */
  | 'processing'
  | 'stored'
  /** The same file was there already. */
  | 'present'
  | 'refused';

/** What is said of all files that are uploaded together. */
export interface Batch {
  tags: readonly string[];
  metadata: Record<string, string>;
  /** Stores a file also where the same one is there. */
  allowDuplicates: boolean;
  /** Writes the folder a file was found in into its metadata, as `folder`. */
  keepFolders: boolean;
  target: Target | null;
}

export interface UploadItem extends ChosenFile {
  id: number;
  batch: Batch;
  stage: Stage;
  uploadId: string | null;
  sent: number;
  /** Bytes a second, over the last seconds; null while it is not known. */
  speed: number | null;
  object: ObjectRecord | null;
  /** The image that the object is. */
  imageId: string | null;
  /** Why it is refused or interrupted; of a stored one, why it is not in the collection. */
  problem: ApiProblem | null;
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

const ends: readonly Stage[] = ['stored', 'present', 'refused'];
export const hasEnded = ({ stage }: UploadItem): boolean => ends.includes(stage);

const atOnce = 3;
const againMs = 5_000;
const speedMs = 5_000;
/** Progress comes far more often than anybody can read it. */
const tellMs = 100;
let lastId = 0;
let current: UploadQueue | undefined;

/** The uploads of this page; it outlives the screens and a lost session, not a change of project. */
export function uploadQueueOf(projectId: string): UploadQueue {
  if (current?.projectId === projectId) return current;
  current?.close();
  current = createUploadQueue(projectId);
  return current;
}

function createUploadQueue(projectId: string) {
  let items: readonly UploadItem[] = [];
  const running = new Map<number, { transfer?: Transfer; samples: [at: number, sent: number][] }>();
  const releases = new Map<number, () => void>();
  let listener: () => void = () => undefined;
  let telling = false;
  let again: number | undefined;

  const find = (id: number): UploadItem | undefined => items.find((item) => item.id === id);
  const tell = (): void => {
    if (telling) return;
    telling = true;
    window.setTimeout(() => {
      telling = false;
      listener();
    }, tellMs);
  };
  const change = (id: number, changes: Partial<UploadItem>): void => {
    items = items.map((item) => (item.id === id ? { ...item, ...changes } : item));
    tell();
  };

  /** Begins as many as may go on at once. */
  const pump = (): void => {
    for (const item of items) {
      if (running.size >= atOnce) return;
      if (item.stage === 'waiting' && !running.has(item.id)) void run(item);
    }
  };

  const run = async (item: UploadItem): Promise<void> => {
    const { id, file, folder, batch } = item;
    const slot: { transfer?: Transfer; samples: [number, number][] } = { samples: [] };
    running.set(id, slot);
    change(id, { stage: 'sending', problem: null });
    try {
      slot.transfer = await startTransfer({
        file,
        metadata: metadataOf(item),
        uploadId: item.uploadId,
        onBegun: (uploadId) => {
          change(id, { uploadId });
          if (!releases.has(id)) releases.set(id, claim(uploadId));
          const { name: filename, size: bytes, lastModified: modified } = file;
          const begunAt = Date.now();
          remember({
            ...{ uploadId, projectId, filename, folder, bytes, modified, begunAt },
            target: batch.target,
          });
        },
        onProgress: (sent) => change(id, { sent, speed: speedOf(slot.samples, sent) }),
      });
      // Paused or cancelled while the library was loaded.
      if (find(id)?.stage !== 'sending') await slot.transfer.stop();
      const end = await slot.transfer.ended;
      if (end.kind === 'arrived') {
        change(id, { stage: 'processing', sent: file.size, speed: null });
        running.delete(id);
        pump();
        await finish(id, end.uploadId);
      } else if (end.kind === 'refused') {
        finishWith(id, { stage: 'refused', problem: end.problem });
      } else if (end.kind === 'interrupted') interrupt(id, end.problem);
    } finally {
      running.delete(id);
      pump();
    }
  };

  /** Follows what has arrived to its end. */
  const finish = async (id: number, uploadId: string): Promise<void> => {
    const item = find(id);
    if (!item) return;
    try {
      const settled = await settle(uploadId, item.batch.target);
      finishWith(id, settled);
      if (settled.stage === 'refused') return;
      const isNew = settled.stage === 'stored';
      tellStored({ mime: settled.object?.mime, isNew, target: item.batch.target });
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 0 || problem.status === 401) interrupt(id, problem);
      else finishWith(id, { stage: 'refused', problem });
    }
  };

  const finishWith = (id: number, changes: Partial<UploadItem>): void => {
    const uploadId = find(id)?.uploadId;
    if (uploadId) forget(uploadId);
    releases.get(id)?.();
    releases.delete(id);
    change(id, { ...changes, speed: null });
  };

  const interrupt = (id: number, problem: ApiProblem): void => {
    if (find(id)?.stage !== 'sending' && find(id)?.stage !== 'processing') return;
    change(id, { stage: 'interrupted', problem, speed: null });
    // Whoever asks for the session learns that it is over, and shows the login.
    if (problem.status === 401) fetchOrProblem('/portal/session').catch(asProblem);
    else again ??= window.setTimeout(goOn, againMs);
  };

  /** Takes up what was interrupted: the line is back, or worth another try. */
  const goOn = (): void => {
    window.clearTimeout(again);
    again = undefined;
    for (const item of items) {
      if (item.stage === 'interrupted') change(item.id, { stage: 'waiting' });
    }
    pump();
  };
  window.addEventListener('online', goOn);

  const stop = async (id: number, stage: Stage): Promise<void> => {
    change(id, { stage, speed: null });
    await running.get(id)?.transfer?.stop();
  };

  return {
    projectId,
    items: () => items,
    /** One listener: the tray. */
    watch(next: () => void): () => void {
      listener = next;
      return () => {
        listener = () => undefined;
      };
    },
    goOn,
    add(files: readonly ChosenFile[], batch: Batch, refusals: ReadonlyMap<ChosenFile, ApiProblem>) {
      items = [
        ...items,
        ...files.map((chosen): UploadItem => {
          const problem = refusals.get(chosen) ?? null;
          return { ...blank(chosen, batch), stage: problem ? 'refused' : 'waiting', problem };
        }),
      ];
      tell();
      pump();
    },
    /** Goes on with what was left off, now that its file is here again. */
    takeUp(entry: Unfinished, chosen: ChosenFile): void {
      const batch: Batch = {
        ...{ tags: [], metadata: {}, allowDuplicates: false, keepFolders: false },
        target: entry.target,
      };
      items = [...items, { ...blank(chosen, batch), uploadId: entry.uploadId }];
      tell();
      pump();
    },
    pause: (id: number) => stop(id, 'paused'),
    resume(id: number): void {
      change(id, { stage: 'waiting', problem: null });
      pump();
    },
    /** Once more from the beginning, for what was refused. */
    retry(id: number): void {
      change(id, { stage: 'waiting', problem: null, uploadId: null, sent: 0 });
      pump();
    },
    /** Gives one up, with what of it has arrived. */
    async cancel(id: number): Promise<void> {
      const item = find(id);
      const transfer = running.get(id)?.transfer;
      items = items.filter((one) => one.id !== id);
      tell();
      releases.get(id)?.();
      releases.delete(id);
      if (item?.uploadId) forget(item.uploadId);
      if (transfer) await transfer.stop();
      // What cannot be told now ends by itself within a day.
      if (item?.uploadId) await send(terminateUpload(item.uploadId)).catch(asProblem);
    },
    pauseAll(): void {
      for (const { id, stage } of items) {
        if (stage === 'sending' || stage === 'waiting') void stop(id, 'paused');
      }
    },
    resumeAll(): void {
      for (const { id, stage } of items) if (stage === 'paused') change(id, { stage: 'waiting' });
      goOn();
    },
    clearEnded(): void {
      items = items.filter((item) => !hasEnded(item));
      tell();
    },
    close(): void {
      window.removeEventListener('online', goOn);
      window.clearTimeout(again);
      for (const { id, stage } of items) if (stage === 'sending') void stop(id, 'paused');
      items = [];
    },
  };
}

function blank(chosen: ChosenFile, batch: Batch): UploadItem {
  lastId += 1;
  return {
    ...chosen,
    id: lastId,
    batch,
    stage: 'waiting',
    uploadId: null,
    sent: 0,
    speed: null,
    object: null,
    imageId: null,
    problem: null,
  };
}

/** `Upload-Metadata` of a file. */
export function metadataOf(item: Pick<UploadItem, 'file' | 'folder' | 'batch'>) {
  const { file, folder, batch } = item;
  const { tags, allowDuplicates, keepFolders } = batch;
  const metadata = { ...batch.metadata, ...(keepFolders && folder ? { folder } : {}) };
  return {
    filename: file.name,
    ...(file.type ? { filetype: file.type } : {}),
    ...(tags.length > 0 ? { tags: JSON.stringify(tags) } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata: JSON.stringify(metadata) } : {}),
    ...(allowDuplicates ? { on_duplicate: 'allow' } : {}),
  };
}

function speedOf(samples: [at: number, sent: number][], sent: number): number | null {
  const now = performance.now();
  samples.push([now, sent]);
  while (samples.length > 2 && now - samples[0]![0] > speedMs) samples.shift();
  const [at, before] = samples[0]!;
  return now - at < 500 ? null : (sent - before) / ((now - at) / 1000);
}
