import { describeMetadata } from '../metadata.ts';
import { decodeStream } from './filters.ts';
import type { ParsedFile } from './parse.ts';
import type { StructureFault } from './structure.ts';
import { ParseFault } from './syntax.ts';

/**
 * Searches the coded pictures of a file for anything other than pixels, such as EXIF, XMP, IPTC and
 * thumbnails.
 */
export function findPictureMetadata(
  file: ParsedFile,
  roles: ReadonlyMap<number, string>,
): { faults: StructureFault[]; pictureCount: number } {
  const faults: StructureFault[] = [];
  let pictureCount = 0;
  for (const [number, role] of roles) {
    const object = file.objects.get(number);
    if (role !== 'image' || !object?.stream) continue;
    pictureCount += 1;
    try {
      const { bytes, picture } = decodeStream(object, file.resolve);
      const kind = picture === 'DCTDecode' ? 'jpeg' : picture === 'JPXDecode' ? 'jp2' : undefined;
      const found = kind && describeMetadata(kind, bytes);
      if (found) faults.push({ detail: found, object: number });
    } catch (error) {
      if (!(error instanceof ParseFault)) throw error;
      faults.push({ detail: error.message, object: number });
    }
  }
  return { faults, pictureCount };
}
