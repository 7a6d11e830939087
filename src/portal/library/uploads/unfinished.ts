import type { ChosenFile } from './files.ts';
import type { Target } from './inbox.ts';

/**
 * What is needed to go on with an upload after the page was left: kept in this browser, by project,
 * until it is complete or given up. Nothing of it is a secret; tags and metadata are with the upload.
 */
export interface Unfinished {
  uploadId: string;
  projectId: string;
  filename: string;
  folder: string;
  bytes: number;
  /** `File.lastModified`: the same name and size with another time is another file. */
  modified: number;
  target: Target | null;
  begunAt: number;
}

const prefix = 'upload:';
/** The service keeps what has arrived for a day; what is older is of no use. */
const keptMs = 25 * 3_600_000;

export function remember(entry: Unfinished): void {
  localStorage.setItem(prefix + entry.uploadId, JSON.stringify(entry));
}

export function forget(uploadId: string): void {
  localStorage.removeItem(prefix + uploadId);
}

/** Those of a project; what is too old, or nothing of ours, is removed. */
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
 * Says to the other tabs of this browser that an upload is going on here; the answer ends it. Where a
 * browser has no such locks (outside of secure contexts) tabs show each other's uploads as unfinished.
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

/** The uploads that go on in some tab. */
export async function claimedUploads(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(
    held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
  );
}
