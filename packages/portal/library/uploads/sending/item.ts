import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { ApiProblem } from '../../../api/request.ts';
import type { ChosenFile } from '../files.ts';
import type { UploadTarget } from '../upload-events.ts';

/** The stage of an upload. The last three are final. */
export type Stage =
  | 'waiting'
  | 'sending'
  | 'paused'
  /** Resumes automatically once the connection is back or the service is no longer busy. */
  | 'interrupted'
  /** The file was received; the service is processing it. */
  | 'processing'
  | 'stored'
  /** The same file was already stored. */
  | 'present'
  | 'rejected';

/** The options of files that are uploaded together. */
export interface Batch {
  tags: readonly string[];
  metadata: Record<string, string>;
  /** Stores a file even if the same one is already stored. */
  allowDuplicates: boolean;
  /** Saves each file's folder in its metadata, as `folder`. */
  keepFolders: boolean;
  target: UploadTarget | null;
}

export interface UploadItem extends ChosenFile {
  id: number;
  batch: Batch;
  stage: Stage;
  uploadId: string | null;
  sent: number;
  /** Bytes per second over the last 5 seconds; null until known. */
  speed: number | null;
  object: ObjectRecord | null;
  /** The image of the object, if it has one. */
  imageId: string | null;
  /** Why it was rejected or interrupted; if stored, why it is not in the collection. */
  problem: ApiProblem | null;
}

const finalStages: readonly Stage[] = ['stored', 'present', 'rejected'];
export const hasEnded = ({ stage }: UploadItem): boolean => finalStages.includes(stage);

const speedWindowMs = 5_000;
let lastId = 0;

export function newUploadItem(selectedFile: ChosenFile, batch: Batch): UploadItem {
  lastId += 1;
  return {
    ...selectedFile,
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

/** The `Upload-Metadata` of a file. */
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

export function speedOf(samples: [at: number, sent: number][], sent: number): number | null {
  const now = performance.now();
  samples.push([now, sent]);
  while (samples.length > 2 && now - samples[0]![0] > speedWindowMs) samples.shift();
  const [at, sentBefore] = samples[0]!;
  return now - at < 500 ? null : (sent - sentBefore) / ((now - at) / 1000);
}
