import type { ChosenFile } from '../files.ts';
import type { Target } from '../inbox.ts';

/**
 * The data needed to resume an upload after leaving the page. Stored in this browser, per project,
 * until the upload is completed or cancelled. It contains no secrets; tags and metadata are stored
 * with the upload.
 */
export interface Unfinished {
  uploadId: string;
  projectId: string;
  filename: string;
  folder: string;
  bytes: number;
  /** `File.lastModified`: distinguishes versions of a file with the same name and size. */
  modified: number;
  target: Target | null;
  begunAt: number;
}

const prefix = 'upload:';
/** The service keeps incomplete uploads for a day, so older entries are useless. */
const keptMs = 25 * 3_600_000;

export function remember(entry: Unfinished): void {
  localStorage.setItem(prefix + entry.uploadId, JSON.stringify(entry));
}

export function forget(uploadId: string): void {
  localStorage.removeItem(prefix + uploadId);
}

/** Reads the unfinished uploads of a project. Removes entries that are expired or unreadable. */
export function readUnfinished(projectId: string): Unfinished[] {
  const found: Unfinished[] = [];
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(prefix)) continue;
    const entry = parse(localStorage.getItem(key));
    if (!entry || Date.now() - entry.begunAt > keptMs) localStorage.removeItem(key);
    else if (entry.projectId === projectId) found.push(entry);
  }
  return found.sort((a, b) => a.begunAt - b.begunAt);
}

export function isSameFile(entry: Unfinished, { file, folder }: ChosenFile): boolean {
  return (
    entry.filename === file.name &&
    entry.bytes === file.size &&
    entry.modified === file.lastModified &&
    entry.folder === folder
  );
}

function parse(text: string | null): Unfinished | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const known = typeof value === 'object' && value !== null && 'begunAt' in value;
    return known ? (value as Unfinished) : null;
  } catch {
    return null;
  }
}

/**
 * Announces to other tabs that this tab is running an upload; the returned function withdraws the
 * claim. Without the Web Locks API (outside secure contexts), tabs show each other's uploads as
 * unfinished.
 */
export function claim(uploadId: string): () => void {
  if (!navigator.locks) return () => undefined;
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(prefix + uploadId, () => held);
  return release;
}

/** Returns the uploads running in any tab. */
export async function claimedUploads(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(
    held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
  );
}
