import { metadataIn } from '../metadata.ts';
import { decodeStream } from './filters.ts';
import type { ParsedFile } from './parse.ts';
import type { Finding } from './structure.ts';
import { Fault } from './syntax.ts';

/** Looks at every coded picture of a file for what is no pixel: EXIF, XMP, IPTC, thumbnails. */
export function findPictureMetadata(
  file: ParsedFile,
  roles: ReadonlyMap<number, string>,
): { findings: Finding[]; pictures: number } {
  const findings: Finding[] = [];
  let pictures = 0;
  for (const [number, role] of roles) {
    const object = file.objects.get(number);
    if (role !== 'image' || !object?.stream) continue;
    pictures += 1;
    try {
      const { bytes, picture } = decodeStream(object, file.resolve);
      const kind = picture === 'DCTDecode' ? 'jpeg' : picture === 'JPXDecode' ? 'jp2' : undefined;
      const found = kind && metadataIn(kind, bytes);
      if (found) findings.push({ detail: found, object: number });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      findings.push({ detail: error.message, object: number });
    }
  }
  return { findings, pictures };
}
