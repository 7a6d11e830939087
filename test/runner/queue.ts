/**
 * Hands out test files to lanes. A lane takes the files of one folder (the first of the path)
 * before it begins another, because tests of a folder share what they start: a browser, a worker.
 */
export interface FileQueue {
  /** The next file for a lane; undefined when all have been handed out. */
  take(lane: number): string | undefined;
}

/** Folders with long files, which start first, so that no lane is left alone with them at the end. */
const foldersWithLongFiles = [
  'portal',
  'documents',
  'jobs',
  'flows',
  'clients',
  'embedded',
  'admin',
  'api',
];

/** `files` are relative to the folder of tests, with slashes. */
export function createQueue(files: readonly string[]): FileQueue {
  const filesByFolder = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const folder = folderOf(file);
    filesByFolder.set(folder, [...(filesByFolder.get(folder) ?? []), file]);
  }
  const folderOfLane = new Map<number, string>();

  /** Returns a folder that no lane works on, or else the one with the most files left. */
  function nextFolder(): string | undefined {
    const unfinished = [...filesByFolder].filter(([, waiting]) => waiting.length > 0);
    const occupied = new Set(folderOfLane.values());
    const free = unfinished.filter(([folder]) => !occupied.has(folder)).map(([folder]) => folder);
    if (free.length > 0)
      return foldersWithLongFiles.find((folder) => free.includes(folder)) ?? free[0];
    return unfinished.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
  }

  return {
    take(lane) {
      const current = filesByFolder.get(folderOfLane.get(lane) ?? '');
      if (current && current.length > 0) return current.shift();
      folderOfLane.delete(lane);
      const folder = nextFolder();
      if (folder === undefined) return undefined;
      folderOfLane.set(lane, folder);
      return filesByFolder.get(folder)?.shift();
    },
  };
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'others';
}
