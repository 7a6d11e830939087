import type { ChosenFile } from '../files.ts';
import type { UploadTarget } from '../upload-events.ts';

/**
 * The data needed to resume an upload after leaving the page. Stored in this browser, per project,
 * until the upload is completed or cancelled. It contains no secrets; tags and metadata are stored
 * with the upload.
 */
export interface UnfinishedEntry {
  uploadId: string;
  projectId: string;
  filename: string;
  folder: string;
  bytes: number;
  /** `File.lastModified`: distinguishes versions of a file with the same name and size. */
  modified: number;
  target: UploadTarget | null;
  begunAt: number;
}

const keyPrefix = 'upload:';
/** The service keeps incomplete uploads for a day, so older entries are useless. */
const maxAgeMs = 25 * 3_600_000;

export function storeUnfinished(entry: UnfinishedEntry): void {
  localStorage.setItem(keyPrefix + entry.uploadId, JSON.stringify(entry));
}

export function removeUnfinished(uploadId: string): void {
  localStorage.removeItem(keyPrefix + uploadId);
}

/** Reads the unfinished uploads of a project. Removes entries that are expired or unreadable. */
export function readUnfinished(projectId: string): UnfinishedEntry[] {
  const entries: UnfinishedEntry[] = [];
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(keyPrefix)) continue;
    const entry = parse(localStorage.getItem(key));
    if (!entry || Date.now() - entry.begunAt > maxAgeMs) localStorage.removeItem(key);
    else if (entry.projectId === projectId) entries.push(entry);
  }
  return entries.sort((a, b) => a.begunAt - b.begunAt);
}

export function isSameFile(entry: UnfinishedEntry, { file, folder }: ChosenFile): boolean {
  return (
    entry.filename === file.name &&
    entry.bytes === file.size &&
    entry.modified === file.lastModified &&
    entry.folder === folder
  );
}

function parse(text: string | null): UnfinishedEntry | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const isValid = typeof value === 'object' && value !== null && 'begunAt' in value;
    return isValid ? (value as UnfinishedEntry) : null;
  } catch {
    return null;
  }
}

/**
 * Announces to other tabs that this tab is running an upload. The returned function releases the
 * claim. Without the Web Locks API (outside secure contexts), tabs show each other's uploads as
 * unfinished.
 */
export function claimUpload(uploadId: string): () => void {
  if (!navigator.locks) return () => undefined;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(keyPrefix + uploadId, () => released);
  return release;
}

/** Returns the uploads running in any tab. */
export async function claimedUploads(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(
    held.flatMap(({ name }) => (name?.startsWith(keyPrefix) ? [name.slice(keyPrefix.length)] : [])),
  );
}
