import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, fetchOrProblem, send } from '../../../api/request.ts';
import type { ChosenFile } from '../files.ts';
import { tellStored } from '../inbox.ts';
import { terminateUpload } from '../tus.ts';
import {
  type Batch,
  blank,
  hasEnded,
  metadataOf,
  type Stage,
  speedOf,
  type UploadItem,
} from './item.ts';
import { settle } from './settle.ts';
import { startTransfer, type Transfer } from './transfer.ts';
import { claim, forget, remember, type Unfinished } from './unfinished.ts';

const atOnce = 3;
const retryMs = 5_000;
/** Progress events are too frequent to render each one. */
const notifyMs = 100;
let current: UploadQueue | undefined;

/**
 * Returns the uploads of this page. The queue survives navigation and a lost session, but is per
 * project.
 */
export function uploadQueueOf(projectId: string): UploadQueue {
  if (current?.projectId === projectId) return current;
  current?.close();
  current = new UploadQueue(projectId);
  return current;
}

interface Slot {
  transfer?: Transfer;
  samples: [at: number, sent: number][];
}

/** Runs several uploads at a time, and follows each one until its object is stored or rejected. */
export class UploadQueue {
  #items: readonly UploadItem[] = [];
  readonly #running = new Map<number, Slot>();
  /** The claims on uploads that run in this tab. */
  readonly #releases = new Map<number, () => void>();
  #listener: () => void = () => undefined;
  #isNotifying = false;
  #retryTimer: number | undefined;

  constructor(readonly projectId: string) {
    window.addEventListener('online', this.resumeInterrupted);
  }

  items(): readonly UploadItem[] {
    return this.#items;
  }

  /** Sets the only listener: the tray. */
  watch(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => undefined;
    };
  }

  add(
    files: readonly ChosenFile[],
    batch: Batch,
    rejections: ReadonlyMap<ChosenFile, ApiProblem>,
  ): void {
    const added = files.map((chosen): UploadItem => {
      const problem = rejections.get(chosen) ?? null;
      return { ...blank(chosen, batch), stage: problem ? 'rejected' : 'waiting', problem };
    });
    this.#items = [...this.#items, ...added];
    this.#notify();
    this.#startNext();
  }

  /** Adds an upload left unfinished on an earlier visit, now that its file was chosen again. */
  addUnfinished(entry: Unfinished, chosen: ChosenFile): void {
    const batch: Batch = {
      ...{ tags: [], metadata: {}, allowDuplicates: false, keepFolders: false },
      target: entry.target,
    };
    this.#items = [...this.#items, { ...blank(chosen, batch), uploadId: entry.uploadId }];
    this.#notify();
    this.#startNext();
  }

  pause(id: number): Promise<void> {
    return this.#stop(id, 'paused');
  }

  resume(id: number): void {
    this.#change(id, { stage: 'waiting', problem: null });
    this.#startNext();
  }

  /** Starts a rejected upload again from the beginning. */
  retry(id: number): void {
    this.#change(id, { stage: 'waiting', problem: null, uploadId: null, sent: 0 });
    this.#startNext();
  }

  /** Cancels an upload and discards what the service has received. */
  async cancel(id: number): Promise<void> {
    const item = this.#find(id);
    const transfer = this.#running.get(id)?.transfer;
    this.#items = this.#items.filter((one) => one.id !== id);
    this.#notify();
    this.#release(id);
    if (item?.uploadId) forget(item.uploadId);
    if (transfer) await transfer.stop();
    // If this fails, the upload expires within a day.
    if (item?.uploadId) await send(terminateUpload(item.uploadId)).catch(asProblem);
  }

  pauseAll(): void {
    for (const { id, stage } of this.#items) {
      if (stage === 'sending' || stage === 'waiting') void this.#stop(id, 'paused');
    }
  }

  resumeAll(): void {
    for (const { id, stage } of this.#items) {
      if (stage === 'paused') this.#change(id, { stage: 'waiting' });
    }
    this.resumeInterrupted();
  }

  /** Retries the interrupted uploads. */
  readonly resumeInterrupted = (): void => {
    window.clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    for (const { id, stage } of this.#items) {
      if (stage === 'interrupted') this.#change(id, { stage: 'waiting' });
    }
    this.#startNext();
  };

  clearEnded(): void {
    this.#items = this.#items.filter((item) => !hasEnded(item));
    this.#notify();
  }

  close(): void {
    window.removeEventListener('online', this.resumeInterrupted);
    window.clearTimeout(this.#retryTimer);
    for (const { id, stage } of this.#items) if (stage === 'sending') void this.#stop(id, 'paused');
    this.#items = [];
  }

  #find(id: number): UploadItem | undefined {
    return this.#items.find((item) => item.id === id);
  }

  #notify(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    window.setTimeout(() => {
      this.#isNotifying = false;
      this.#listener();
    }, notifyMs);
  }

  #change(id: number, changes: Partial<UploadItem>): void {
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, ...changes } : item));
    this.#notify();
  }

  #startNext(): void {
    for (const item of this.#items) {
      if (this.#running.size >= atOnce) return;
      if (item.stage === 'waiting' && !this.#running.has(item.id)) void this.#run(item);
    }
  }

  async #run(item: UploadItem): Promise<void> {
    const { id, file } = item;
    const slot: Slot = { samples: [] };
    this.#running.set(id, slot);
    this.#change(id, { stage: 'sending', problem: null });
    try {
      slot.transfer = await startTransfer({
        file,
        metadata: metadataOf(item),
        uploadId: item.uploadId,
        onBegun: (uploadId) => this.#begun(item, uploadId),
        onProgress: (sent) => this.#change(id, { sent, speed: speedOf(slot.samples, sent) }),
      });
      // Paused or cancelled while the tus library was loading.
      if (this.#find(id)?.stage !== 'sending') await slot.transfer.stop();
      const end = await slot.transfer.ended;
      if (end.kind === 'arrived') {
        this.#change(id, { stage: 'processing', sent: file.size, speed: null });
        this.#running.delete(id);
        this.#startNext();
        await this.#settle(id, end.uploadId);
      } else if (end.kind === 'rejected') {
        this.#end(id, { stage: 'rejected', problem: end.problem });
      } else if (end.kind === 'interrupted') this.#interrupt(id, end.problem);
    } finally {
      this.#running.delete(id);
      this.#startNext();
    }
  }

  #begun({ id, file, folder, batch }: UploadItem, uploadId: string): void {
    this.#change(id, { uploadId });
    if (!this.#releases.has(id)) this.#releases.set(id, claim(uploadId));
    const { name: filename, size: bytes, lastModified: modified } = file;
    remember({
      ...{ uploadId, projectId: this.projectId, filename, folder, bytes, modified },
      begunAt: Date.now(),
      target: batch.target,
    });
  }

  async #settle(id: number, uploadId: string): Promise<void> {
    const item = this.#find(id);
    if (!item) return;
    try {
      const settled = await settle(uploadId, item.batch.target);
      this.#end(id, settled);
      if (settled.stage === 'rejected') return;
      const isNew = settled.stage === 'stored';
      tellStored({
        objectId: settled.object?.id,
        mime: settled.object?.mime,
        isNew,
        target: item.batch.target,
      });
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 0 || problem.status === 401) this.#interrupt(id, problem);
      else this.#end(id, { stage: 'rejected', problem });
    }
  }

  #end(id: number, changes: Partial<UploadItem>): void {
    const uploadId = this.#find(id)?.uploadId;
    if (uploadId) forget(uploadId);
    this.#release(id);
    this.#change(id, { ...changes, speed: null });
  }

  #interrupt(id: number, problem: ApiProblem): void {
    const stage = this.#find(id)?.stage;
    if (stage !== 'sending' && stage !== 'processing') return;
    this.#change(id, { stage: 'interrupted', problem, speed: null });
    // Requesting the session shows the login form if the session has ended.
    if (problem.status === 401) fetchOrProblem('/portal/session').catch(asProblem);
    else this.#retryTimer ??= window.setTimeout(this.resumeInterrupted, retryMs);
  }

  async #stop(id: number, stage: Stage): Promise<void> {
    this.#change(id, { stage, speed: null });
    await this.#running.get(id)?.transfer?.stop();
  }

  #release(id: number): void {
    this.#releases.get(id)?.();
    this.#releases.delete(id);
  }
}
