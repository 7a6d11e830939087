import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type imageMimes,
  type RenditionMime,
  type RenditionName,
  renditionNames,
} from '@scriptorium/contracts/wire/library/images';
import { createImaging, type PictureReading } from '@scriptorium/documents/imaging';
import sharp from 'sharp';
import type { Storage } from '../../../../src/storage/storage.ts';

/** HEIC can be read, but not written here. */
export type PictureMime = Exclude<(typeof imageMimes)[number], 'image/heic'>;

/** Stored bytes. */
export interface StoredFile {
  sha256: string;
  bytes: number;
}

/** A stored picture, with the facts found by the imaging engine and its stored renditions. */
export interface Picture
  extends Pick<
      PictureReading,
      'width' | 'height' | 'orientation' | 'camera' | 'location' | 'palette' | 'blurhash'
    >,
    StoredFile {
  mime: PictureMime;
  renditions: (StoredFile & {
    name: RenditionName;
    mime: RenditionMime;
    width: number;
    height: number;
  })[];
}

const formats = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
  'image/gif': 'gif',
} as const;

const makers = ['ACME', 'Northern', 'Kestrel', 'Luma', 'Tarn'];

/** The types within each twenty pictures; the others are JPEG. */
const otherMimes: PictureMime[] = [
  'image/png',
  'image/png',
  'image/png',
  'image/webp',
  'image/webp',
  'image/svg+xml',
  'image/tiff',
  'image/gif',
  'image/avif',
];

/** Creates and stores small pictures with EXIF data, and processes each as the imaging worker would. */
export async function makePictures(
  storage: Storage,
  projectId: string,
  count: number,
  folder: string,
  random: () => number,
): Promise<Picture[]> {
  const scratch = await mkdtemp(join(folder, 'pictures-'));
  const imaging = createImaging({ processes: 2, memoryBytes: 1024 * 2 ** 20, tmpDir: scratch });
  const store = (path: string) => storeFile(storage, projectId, path);
  try {
    const pictures: Picture[] = [];
    for (let start = 0; start < count; start += 2) {
      const pair = [start, start + 1]
        .filter((at) => at < count)
        .map(async (at): Promise<Picture> => {
          const path = join(scratch, String(at));
          const mime = otherMimes[at % 20] ?? 'image/jpeg';
          await writePicture(path, mime, at, random);
          const { width, height, orientation, camera, location, palette, blurhash, renditions } =
            await imaging.read(
              { path, mime, files: renditionFiles(scratch, at) },
              { deadlineMs: 60_000, isolation: 'bench' },
            );
          const storedRenditions = [];
          for (const { path: file, ...rendition } of renditions) {
            storedRenditions.push({ ...rendition, ...(await store(file)) });
          }
          const found = { width, height, orientation, camera, location, palette, blurhash };
          return { mime, ...found, ...(await store(path)), renditions: storedRenditions };
        });
      pictures.push(...(await Promise.all(pair)));
    }
    return pictures;
  } finally {
    await imaging.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Stores a file. */
export async function storeFile(
  storage: Storage,
  projectId: string,
  path: string,
): Promise<StoredFile> {
  const file = await storage.tempFile();
  try {
    await copyFile(path, file.path);
    const received = await storage.receiveFile(projectId, file.path);
    await received.commit();
    await received.discard();
    return { sha256: received.sha256, bytes: received.bytes };
  } finally {
    await file.release();
  }
}

/** The folder for renditions. */
function renditionFiles(folder: string, at: number): Record<string, string> {
  const names = renditionNames.flatMap((name) => [`${name}.webp`, `${name}.avif`]);
  return Object.fromEntries(names.map((name) => [name, join(folder, `${at % 2}-${name}`)]));
}

async function writePicture(
  path: string,
  mime: PictureMime,
  at: number,
  random: () => number,
): Promise<void> {
  const randomSide = (): number => 160 + Math.floor(random() ** 2 * 1_800);
  const width = randomSide();
  const height = at % 12 === 0 ? width : randomSide();
  const channel = (): number => Math.floor(random() * 256);
  const color = () => ({ r: channel(), g: channel(), b: channel() });
  if (mime === 'image/svg+xml') {
    const circle = `<circle cx="50%" cy="50%" r="20%" fill="hsl(${channel()} 80% 50%)"/>`;
    const size = `width="${width}" height="${height}"`;
    await writeFile(path, `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${circle}</svg>`);
    return;
  }
  const patch = await sharp({
    create: { width: width >> 1, height: height >> 1, channels: 3, background: color() },
  })
    .png()
    .toBuffer();
  const picture = sharp({ create: { width, height, channels: 3, background: color() } })
    .composite([{ input: patch, gravity: at % 2 ? 'northeast' : 'center' }])
    .withExif({
      IFD0: { Make: makers[at % makers.length]!, Model: `Model ${at % 23}` },
      IFD2: {
        DateTimeOriginal: `2024:0${1 + (at % 9)}:1${at % 10} 14:30:05`,
        ExposureTime: '1/250',
        FNumber: '28/10',
        ISOSpeedRatings: String(100 * (1 + (at % 8))),
        FocalLength: `${20 + (at % 50)}/1`,
      },
      ...(at % 2
        ? {
            IFD3: {
              GPSLatitudeRef: 'N',
              GPSLatitude: `${at % 80}/1 30/1 0/1`,
              GPSLongitudeRef: 'E',
              GPSLongitude: `${at % 170}/1 22/1 0/1`,
            },
          }
        : {}),
    });
  if (mime === 'image/avif') await picture.avif().toFile(path);
  else await picture.toFormat(formats[mime]).toFile(path);
}
