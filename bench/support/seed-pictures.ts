import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { renditionNames } from '../../src/contracts/wire/images.ts';
import { createImaging, type Reading } from '../../src/engines/imaging/index.ts';

/** What the imaging engine found in a picture, as an image's row holds it. */
export type Finding = Pick<
  Reading,
  'width' | 'height' | 'orientation' | 'camera' | 'location' | 'palette' | 'blurhash'
>;

const makers = ['ACME', 'Northern', 'Kestrel', 'Luma', 'Tarn'];

/** Makes small JPEGs with EXIF in them, and reads each as the imaging worker would. */
export async function readPictures(
  count: number,
  folder: string,
  random: () => number,
): Promise<Finding[]> {
  const scratch = await mkdtemp(join(folder, 'pictures-'));
  const imaging = createImaging({ processes: 2, memoryBytes: 1024 * 2 ** 20, tmpDir: scratch });
  try {
    const findings: Finding[] = [];
    for (let start = 0; start < count; start += 2) {
      const pair = [start, start + 1]
        .filter((at) => at < count)
        .map(async (at) => {
          const path = join(scratch, `${at}.jpg`);
          await writePicture(path, at, random);
          const { width, height, orientation, camera, location, palette, blurhash } =
            await imaging.read(
              { path, mime: 'image/jpeg', files: filesIn(scratch, at) },
              { deadlineMs: 60_000 },
            );
          return { width, height, orientation, camera, location, palette, blurhash };
        });
      findings.push(...(await Promise.all(pair)));
    }
    return findings;
  } finally {
    await imaging.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Where the renditions go that nobody looks at. */
function filesIn(folder: string, at: number): Record<string, string> {
  const names = renditionNames.flatMap((name) => [`${name}.webp`, `${name}.avif`]);
  return Object.fromEntries(names.map((name) => [name, join(folder, `${at % 2}-${name}`)]));
}

async function writePicture(path: string, at: number, random: () => number): Promise<void> {
  const side = (): number => 160 + Math.floor(random() ** 2 * 1_800);
  const width = side();
  const height = at % 12 === 0 ? width : side();
  const part = (): number => Math.floor(random() * 256);
  const color = () => ({ r: part(), g: part(), b: part() });
  const patch = await sharp({
    create: { width: width >> 1, height: height >> 1, channels: 3, background: color() },
  })
    .png()
    .toBuffer();
  await sharp({ create: { width, height, channels: 3, background: color() } })
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
    })
    .jpeg()
    .toFile(path);
}
