/** Reads the IPTC-IIM 4.2 fields of a picture that the library displays. */
import { createHash } from 'node:crypto';

/** Opened IPTC. */
export interface Iptc {
  /** Decodes a dataset of record 2: of several, the first. Null if it is missing. */
  value(dataset: number): string | null;
  /** Decodes a dataset of record 2 that may be repeated. */
  values(dataset: number): string[];
  isNewerThanXmp: boolean;
}

const recordMark = 0x1c;
const maxDatasets = 2_000;
/** Image resources of Photoshop: IPTC, and the digest of IPTC when XMP was last written. */
const iptcResource = 0x0404;
const digestResource = 0x0425;

/** Opens IPTC, alone or among the image resources of Photoshop; null without IPTC. */
export function openIptc(bytes: Buffer): Iptc | null {
  const resources = resourcesIn(bytes);
  const block = resources.get(iptcResource) ?? (bytes[0] === recordMark ? bytes : undefined);
  if (!block) return null;
  const datasets = new Map<string, Buffer[]>();
  let count = 0;
  for (let at = 0; at + 5 <= block.length && block[at] === recordMark; count += 1) {
    const length = block.readUInt16BE(at + 3);
    // Extended datasets contain previews, not text.
    if (length > 0x7fff || count > maxDatasets) break;
    const key = `${block[at + 1]}:${block[at + 2]}`;
    const raw = block.subarray(at + 5, at + 5 + length);
    datasets.set(key, [...(datasets.get(key) ?? []), raw]);
    at += 5 + length;
  }
  if (datasets.size === 0) return null;
  const isUtf8 = datasets.get('1:90')?.[0]?.equals(Buffer.from('\x1b%G', 'latin1')) ?? false;
  const digest = resources.get(digestResource);
  const values = (dataset: number): string[] =>
    (datasets.get(`2:${dataset}`) ?? [])
      .filter((raw) => raw.length > 0)
      .map((raw) => decode(raw, isUtf8));
  return {
    value: (dataset) => values(dataset)[0] ?? null,
    values,
    // A program without support for XMP has changed IPTC (Metadata Working Group 2.0, 3.3).
    isNewerThanXmp:
      digest?.length === 16 &&
      digest.some((byte) => byte !== 0) &&
      !createHash('md5').update(block).digest().equals(digest),
  };
}

/** Decodes a value. Without a declared encoding, it is UTF-8 if it is valid UTF-8. */
function decode(raw: Buffer, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(raw);
  } catch {
    return raw.toString('latin1');
  }
}

function resourcesIn(bytes: Buffer): Map<number, Buffer> {
  const resources = new Map<number, Buffer>();
  let at = bytes.subarray(0, 14).equals(Buffer.from('Photoshop 3.0\0')) ? 14 : 0;
  while (at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === '8BIM') {
    const id = bytes.readUInt16BE(at + 4);
    // A name with a length prefix, padded to an even number of bytes.
    const nameLength = 1 + (bytes[at + 6] ?? 0);
    const sizeAt = at + 6 + nameLength + (nameLength % 2);
    if (sizeAt + 4 > bytes.length) break;
    const length = bytes.readUInt32BE(sizeAt);
    if (!resources.has(id)) resources.set(id, bytes.subarray(sizeAt + 4, sizeAt + 4 + length));
    at = sizeAt + 4 + length + (length % 2);
  }
  return resources;
}
