import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, fetchOrThrow, send } from '../../../api/request.ts';
import type { ChosenFile } from '../files.ts';
import { terminateUpload } from '../tus.ts';
import { notifyStored } from '../upload-events.ts';
import { finishUpload } from './finish-upload.ts';
import {
  type Batch,
  hasEnded,
  metadataOf,
  newUploadItem,
  type Stage,
  speedOf,
  type UploadItem,
} from './item.ts';
import { startTransfer, type Transfer } from './transfer.ts';
import {
  claimUpload,
  removeUnfinished,
  storeUnfinished,
  type UnfinishedEntry,
} from './unfinished.ts';

const maxTransfers = 3;
const retryDelayMs = 5_000;
/** Minimum interval of notifications, in milliseconds: progress events are too frequent to render. */
const notifyIntervalMs = 100;
let currentQueue: UploadQueue | undefined;

/**
 * Returns the uploads of this page. The queue survives navigation and a lost session, but is per
 * project.
 */
export function uploadQueueOf(projectId: string): UploadQueue {
  if (currentQueue?.projectId === projectId) return currentQueue;
  currentQueue?.close();
  currentQueue = new UploadQueue(projectId);
  return currentQueue;
}

interface RunningTransfer {
  transfer?: Transfer;
  samples: [at: number, sent: number][];
}

/** Runs several uploads at a time, and tracks each one until its object is stored or rejected. */
export class UploadQueue {
  #items: readonly UploadItem[] = [];
  readonly #running = new Map<number, RunningTransfer>();
  /** Functions that release the claims on uploads running in this tab. */
  readonly claimReleases = new Map<number, () => void>();
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
    const newItems = files.map((selectedFile): UploadItem => {
      const problem = rejections.get(selectedFile) ?? null;
      return {
        ...newUploadItem(selectedFile, batch),
        stage: problem ? 'rejected' : 'waiting',
        problem,
      };
    });
    this.#items = [...this.#items, ...newItems];
    this.#notify();
    this.#startNext();
  }

  /** Resumes an unfinished upload of an earlier visit, after its file was selected again. */
  addUnfinished(entry: UnfinishedEntry, selectedFile: ChosenFile): void {
    const batch: Batch = {
      tags: [],
      metadata: {},
      allowDuplicates: false,
      keepFolders: false,
      target: entry.target,
    };
    this.#items = [
      ...this.#items,
      { ...newUploadItem(selectedFile, batch), uploadId: entry.uploadId },
    ];
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
    if (item?.uploadId) removeUnfinished(item.uploadId);
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
    }, notifyIntervalMs);
  }

  #change(id: number, changes: Partial<UploadItem>): void {
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, ...changes } : item));
    this.#notify();
  }

  #startNext(): void {
    for (const item of this.#items) {
      if (this.#running.size >= maxTransfers) return;
      if (item.stage === 'waiting' && !this.#running.has(item.id)) void this.#run(item);
    }
  }

  async #run(item: UploadItem): Promise<void> {
    const { id, file } = item;
    const slot: RunningTransfer = { samples: [] };
    this.#running.set(id, slot);
    this.#change(id, { stage: 'sending', problem: null });
    try {
      slot.transfer = await startTransfer({
        file,
        metadata: metadataOf(item),
        uploadId: item.uploadId,
        onStarted: (uploadId) => this.onStarted(item, uploadId),
        onProgress: (sent) => this.#change(id, { sent, speed: speedOf(slot.samples, sent) }),
      });
      // Paused or cancelled while the tus library was loading.
      if (this.#find(id)?.stage !== 'sending') await slot.transfer.stop();
      const outcome = await slot.transfer.outcome;
      if (outcome.kind === 'arrived') {
        this.#change(id, { stage: 'processing', sent: file.size, speed: null });
        this.#running.delete(id);
        this.#startNext();
        await this.finish(id, outcome.uploadId);
      } else if (outcome.kind === 'rejected') {
        this.#end(id, { stage: 'rejected', problem: outcome.problem });
      } else if (outcome.kind === 'interrupted') this.#interrupt(id, outcome.problem);
    } catch (error) {
      this.#interrupt(id, asProblem(error));
    } finally {
      this.#running.delete(id);
      this.#startNext();
    }
  }

  onStarted({ id, file, folder, batch }: UploadItem, uploadId: string): void {
    this.#change(id, { uploadId });
    if (!this.claimReleases.has(id)) this.claimReleases.set(id, claimUpload(uploadId));
    const { name: filename, size: bytes, lastModified: modified } = file;
    storeUnfinished({
      uploadId,
      projectId: this.projectId,
      filename,
      folder,
      bytes,
      modified,
      begunAt: Date.now(),
      target: batch.target,
    });
  }

  async finish(id: number, uploadId: string): Promise<void> {
    const item = this.#find(id);
    if (!item) return;
    try {
      const outcome = await finishUpload(uploadId, item.batch.target);
      this.#end(id, outcome);
      if (outcome.stage === 'rejected') return;
      const isNew = outcome.stage === 'stored';
      notifyStored({
        objectId: outcome.object?.id,
        mime: outcome.object?.mime,
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
    if (uploadId) removeUnfinished(uploadId);
    this.#release(id);
    this.#change(id, { ...changes, speed: null });
  }

  #interrupt(id: number, problem: ApiProblem): void {
    const stage = this.#find(id)?.stage;
    if (stage !== 'sending' && stage !== 'processing') return;
    this.#change(id, { stage: 'interrupted', problem, speed: null });
    // Requesting the session shows the login form if the session has ended.
    if (problem.status === 401) fetchOrThrow('/portal/session').catch(asProblem);
    else {
      const delayMs = Math.max(retryDelayMs, 1_000 * (problem.retryAfter ?? 0));
      this.#retryTimer ??= window.setTimeout(this.resumeInterrupted, delayMs);
    }
  }

  async #stop(id: number, stage: Stage): Promise<void> {
    this.#change(id, { stage, speed: null });
    await this.#running.get(id)?.transfer?.stop();
  }

  #release(id: number): void {
    this.claimReleases.get(id)?.();
    this.claimReleases.delete(id);
  }
}
