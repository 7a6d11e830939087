/** Damages for a page of a TIFF that `multiPageTiff` made. */
export const tiffDamages = {
  'pixels outside of the file': (tiff, at) => setTag(tiff, at, 273, tiff.length + 1_000),
  'pixels that do not decode': (tiff, at) => setTag(tiff, at, 259, 8),
  'more than 100 megapixels': (tiff, at) => {
    setTag(tiff, at, 256, 20_000);
    setTag(tiff, at, 257, 20_000);
  },
  'no width': (tiff, at) => setTag(tiff, at, 256, 0),
} as const satisfies Record<string, (tiff: Buffer, directory: number) => void>;

/** A copy of a TIFF with a page of it (1-based) damaged. */
export function damageTiff(
  tiff: Buffer,
  damage: keyof typeof tiffDamages,
  ...pages: readonly number[]
): Buffer {
  const copy = Buffer.from(tiff);
  const directories = directoriesOf(tiff);
  for (const page of pages) tiffDamages[damage](copy, directories[page - 1]!);
  return copy;
}

/** A TIFF without what comes after a page: its chain of pages leads out of the file. */
export function cutTiff(tiff: Buffer, lastPage: number): Buffer {
  return tiff.subarray(0, directoriesOf(tiff)[lastPage - 1]! + 200);
}

function directoriesOf(tiff: Buffer): number[] {
  const directories: number[] = [];
  for (let at = tiff.readUInt32LE(4); at !== 0; ) {
    directories.push(at);
    at = tiff.readUInt32LE(at + 2 + tiff.readUInt16LE(at) * 12);
  }
  return directories;
}

function setTag(tiff: Buffer, directory: number, tag: number, value: number): void {
  for (let index = 0; index < tiff.readUInt16LE(directory); index += 1) {
    const at = directory + 2 + index * 12;
    if (tiff.readUInt16LE(at) === tag) tiff.writeUInt32LE(value, at + 8);
  }
}
