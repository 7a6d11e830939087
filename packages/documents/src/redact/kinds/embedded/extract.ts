import { open } from 'node:fs/promises';
import { EngineError } from '@scriptorium/sandbox/errors';
import sharp from 'sharp';
import { maxEmbeddedPixels } from '../../../limits.ts';
import { imageError } from '../../../source/images.ts';
import {
  type ExtractedFile,
  type Extraction,
  maxEmbeddedFiles,
  type UnreadReason,
} from '../../contract/embedded.ts';
import { digestOfFile, type EmbeddedFiles, type EmbeddedUse, embeddedTypeOf } from './files.ts';

/** The distinct files inside a file, by digest, in the order in which it refers to them. */
export type FoundFiles = Map<string, { bytes: Uint8Array; uses: Set<EmbeddedUse> }>;

/** Collects the files inside a file, which is read for this purpose only. */
export function createFileCollector(): { files: EmbeddedFiles; found: FoundFiles } {
  const found: FoundFiles = new Map();
  const provenOf = (bytes: Uint8Array, use: EmbeddedUse): null => {
    if (bytes.length === 0) return null;
    const digest = digestOfFile(bytes);
    const known = found.get(digest);
    if (known) known.uses.add(use);
    else found.set(digest, { bytes, uses: new Set([use]) });
    return null;
  };
  return { files: { provenOf }, found };
}

/** Maximum number of pixels of all pictures of a file. */
const maxTotalPixels = 600e6;
/** Maximum number of bytes of all embedded files. */
const maxTotalBytes = 256 * 2 ** 20;

/**
 * Writes the files that can be redacted to `outPath`, one after the other. A picture of a type that
 * documents do not show in every program becomes a PNG.
 */
export async function writeFoundFiles(found: FoundFiles, outPath: string): Promise<Extraction> {
  const files: ExtractedFile[] = [];
  const unread: Record<UnreadReason, number> = {
    format: 0,
    damaged: 0,
    too_large: 0,
    too_many: 0,
  };
  let totalPixels = 0;
  let totalBytes = 0;
  const out = await open(outPath, 'w');
  try {
    for (const [digest, { bytes, uses }] of found) {
      const isFull = files.length >= maxEmbeddedFiles || totalPixels >= maxTotalPixels;
      const prepared = isFull ? 'too_many' : await prepare(bytes, uses);
      if (typeof prepared === 'string') {
        unread[prepared] += 1;
        continue;
      }
      if (totalBytes + prepared.bytes.length > maxTotalBytes) {
        unread.too_many += 1;
        continue;
      }
      totalPixels += prepared.pixels;
      totalBytes += prepared.bytes.length;
      await out.write(prepared.bytes);
      files.push({ digest, mime: prepared.mime, size: prepared.bytes.length });
    }
  } finally {
    await out.close();
  }
  return { files, unread };
}

interface PreparedFile {
  mime: ExtractedFile['mime'];
  bytes: Uint8Array;
  pixels: number;
}

/** Returns a file in the form in which it is redacted, or why it cannot be read. */
async function prepare(
  bytes: Uint8Array,
  uses: ReadonlySet<EmbeddedUse>,
): Promise<PreparedFile | UnreadReason> {
  const mime = embeddedTypeOf(bytes);
  if (mime === null) return 'format';
  if (mime === 'application/pdf') {
    return uses.has('attachment') ? { mime, bytes, pixels: 0 } : 'format';
  }
  try {
    const {
      width,
      height,
      pageHeight,
      pages = 1,
      density,
    } = await sharp(bytes, {
      limitInputPixels: false,
    }).metadata();
    const pixels = width * (pageHeight ?? height);
    if (pixels > maxEmbeddedPixels) return 'too_large';
    if (mime !== 'image/tiff') return { mime, bytes, pixels };
    if (pages > 1 && uses.has('attachment')) return { mime, bytes, pixels: pixels * pages };
    const upright = sharp(bytes, { limitInputPixels: maxEmbeddedPixels, failOn: 'error' })
      .autoOrient()
      .png();
    const png = density === undefined ? upright : upright.withDensity(density);
    return { mime: 'image/png', bytes: await png.toBuffer(), pixels };
  } catch (error) {
    const fault = imageError(error);
    if (!(fault instanceof EngineError) || fault.retryable) throw fault;
    // Its first bytes are those of a type that is read.
    return fault.code === 'too_large' ? 'too_large' : 'damaged';
  }
}
