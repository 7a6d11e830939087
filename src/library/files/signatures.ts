interface Signature {
  mime: string;
  bytes: string | readonly number[];
  executable?: boolean;
}

// In order: executable types come first, so that no harmless signature can hide them.
/** Signatures at the very beginning of a file. */
export const SIGNATURES: readonly Signature[] = [
  { mime: 'application/x-elf', bytes: '\x7fELF', executable: true },
  { mime: 'application/x-mach-binary', bytes: [0xfe, 0xed, 0xfa, 0xce], executable: true },
  { mime: 'application/x-mach-binary', bytes: [0xfe, 0xed, 0xfa, 0xcf], executable: true },
  { mime: 'application/x-mach-binary', bytes: [0xce, 0xfa, 0xed, 0xfe], executable: true },
  { mime: 'application/x-mach-binary', bytes: [0xcf, 0xfa, 0xed, 0xfe], executable: true },
  { mime: 'application/x-mach-binary', bytes: [0xbe, 0xba, 0xfe, 0xca], executable: true },
  { mime: 'application/wasm', bytes: '\0asm', executable: true },
  { mime: 'application/vnd.android.dex', bytes: 'dex\n', executable: true },
  { mime: 'application/x-ms-shortcut', bytes: 'L\0\0\0\x01\x14\x02\0', executable: true },
  { mime: 'application/vnd.debian.binary-package', bytes: '!<arch>\ndebian', executable: true },
  { mime: 'application/x-rpm', bytes: [0xed, 0xab, 0xee, 0xdb], executable: true },
  { mime: 'application/pdf', bytes: '%PDF-' },
  { mime: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { mime: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { mime: 'image/gif', bytes: 'GIF87a' },
  { mime: 'image/gif', bytes: 'GIF89a' },
  { mime: 'image/tiff', bytes: 'II*\0' },
  { mime: 'image/tiff', bytes: 'MM\0*' },
  { mime: 'image/tiff', bytes: 'II+\0' },
  { mime: 'image/tiff', bytes: 'MM\0+' },
  { mime: 'image/vnd.adobe.photoshop', bytes: '8BPS' },
  { mime: 'image/jxl', bytes: '\0\0\0\x0cJXL \r\n\x87\n' },
  { mime: 'image/jp2', bytes: '\0\0\0\x0cjP  \r\n\x87\n' },
  // A codestream without a surrounding file format: SOC and SIZ (ISO/IEC 15444-1 §A.4.1, §A.5.1).
  { mime: 'image/j2c', bytes: [0xff, 0x4f, 0xff, 0x51] },
  { mime: 'application/gzip', bytes: [0x1f, 0x8b, 0x08] },
  { mime: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { mime: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { mime: 'application/x-bzip2', bytes: 'BZh' },
  { mime: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { mime: 'application/zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { mime: 'audio/ogg', bytes: 'OggS' },
  { mime: 'audio/flac', bytes: 'fLaC' },
  { mime: 'audio/mpeg', bytes: 'ID3' },
  { mime: 'application/postscript', bytes: '%!PS' },
  { mime: 'application/rtf', bytes: '{\\rtf' },
];

/** Whether the bytes are at this position. */
export function hasBytesAt(head: Buffer, bytes: string | readonly number[], at = 0): boolean {
  const expected = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
  return (
    head.length >= at + expected.length && head.subarray(at, at + expected.length).equals(expected)
  );
}

/** Whether the signature of PDF is in the first kilobyte: readers accept it anywhere in there. */
export function hasPdfSignature(head: Buffer): boolean {
  return head.subarray(0, 1024 + 5).includes('%PDF-');
}
