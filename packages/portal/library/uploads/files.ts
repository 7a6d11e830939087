/** A file to upload and its folder, such as `2024/harbour`; '' for a file selected individually. */
export interface ChosenFile {
  file: File;
  folder: string;
}

/** Files that operating systems create in folders; never uploaded. */
const ignoredNames = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** Returns the files of a file input, including one that selects folders. */
export function filesOfInput(input: HTMLInputElement): ChosenFile[] {
  return [...(input.files ?? [])]
    .filter((file) => !ignoredNames.has(file.name))
    .map((file) => ({
      file,
      folder: file.webkitRelativePath.split('/').slice(0, -1).join('/'),
    }));
}

/** The message shown if dropped files cannot be read. */
export const unreadableDrop =
  'Your browser could not read the dropped files. Use Choose files instead.';

/** Whether a drag or paste contains files. */
export function hasFiles(data: DataTransfer | null): data is DataTransfer {
  return data?.types.includes('Files') ?? false;
}

/** Returns the files of a drop or paste, including those in folders. */
export async function filesOfTransfer(data: DataTransfer): Promise<ChosenFile[]> {
  // Read both before awaiting anything: the browser clears them afterwards.
  const entries = [...data.items]
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry());
  const flatFiles = [...data.files].map((file) => ({ file, folder: '' }));
  // Pasted images and files added by scripts have no entry.
  if (entries.length === 0 || entries.some((entry) => entry === null)) return flatFiles;
  const nestedFiles = await Promise.all(entries.map((entry) => filesOfEntry(entry!, '')));
  return nestedFiles.flat();
}

async function filesOfEntry(entry: FileSystemEntry, folder: string): Promise<ChosenFile[]> {
  if (isFile(entry)) {
    if (ignoredNames.has(entry.name)) return [];
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, folder }];
  }
  if (!isFolder(entry)) return [];
  const path = folder ? `${folder}/${entry.name}` : entry.name;
  const reader = entry.createReader();
  const files: ChosenFile[] = [];
  for (;;) {
    // Entries are returned in batches; an empty batch is the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return files;
    for (const child of batch) files.push(...(await filesOfEntry(child, path)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
