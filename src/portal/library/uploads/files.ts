/** A file to upload, and the folder it was found in: `2024/harbour`, '' for one chosen by itself. */
export interface ChosenFile {
  file: File;
  folder: string;
}

/** What systems leave in folders, and nobody means to upload. */
const litter = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/** What a file input was given, one that takes folders included. */
export function filesOfInput(input: HTMLInputElement): ChosenFile[] {
  return [...(input.files ?? [])]
    .filter((file) => !litter.has(file.name))
    .map((file) => ({
      file,
      folder: file.webkitRelativePath.split('/').slice(0, -1).join('/'),
    }));
}

/** Whether a drag or a paste brings files. */
export function hasFiles(data: DataTransfer | null): data is DataTransfer {
  return data?.types.includes('Files') ?? false;
}

/** The files of a drop or a paste, with all that is in its folders. */
export async function filesOfTransfer(data: DataTransfer): Promise<ChosenFile[]> {
  // Both have to be asked for before anything is awaited: the browser takes them away after that.
  const entries = [...data.items]
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry());
  const plain = [...data.files].map((file) => ({ file, folder: '' }));
  // Pasted pictures, and what a script put there, have no entry.
  if (entries.length === 0 || entries.some((entry) => entry === null)) return plain;
  const found = await Promise.all(entries.map((entry) => filesOfEntry(entry!, '')));
  return found.flat();
}

async function filesOfEntry(entry: FileSystemEntry, folder: string): Promise<ChosenFile[]> {
  if (isFile(entry)) {
    if (litter.has(entry.name)) return [];
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, folder }];
  }
  if (!isFolder(entry)) return [];
  const inside = folder ? `${folder}/${entry.name}` : entry.name;
  const reader = entry.createReader();
  const files: ChosenFile[] = [];
  for (;;) {
    // A reader gives some hundred at a time, and nothing at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return files;
    for (const one of some) files.push(...(await filesOfEntry(one, inside)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
