/**
 * Detects the type of a file from its first bytes. The client's name and type only decide between
 * kinds of text, which bytes cannot distinguish; all other types have a signature.
 */
import { extensionOf } from './filename.ts';
import { sniffMarkup } from './markup/sniff.ts';
import { hasBytesAt, hasPdfSignature, SIGNATURES } from './signatures.ts';
import { isUnicode, sniffText } from './sniff-text.ts';
import {
  GZIP,
  type SniffedType,
  type SniffHints,
  typeWithoutScripts,
  UNKNOWN,
} from './sniffed-type.ts';
import { guessZipKind, zipKindOf } from './zip-kind.ts';

// Extensions of files that a desktop runs, whatever they contain: cmd, for example, skips bytes that it
// does not know.
const EXECUTABLE_EXTENSIONS = new Set(
  `bat cmd ps1 psm1 vbs vbe wsf wsh hta sh bash zsh csh reg scf url desktop command applescript jse
  inf wsc sct exe com scr pif cpl dll msi msp msc lnk jar apk jnlp ksh fish appimage workflow
  gadget application appref-ms chm xll`.split(/\s+/),
);

/** Detects the type of a file by its first bytes (at most 64 KiB). Never throws. */
export function sniff(head: Buffer, hints: SniffHints = {}): SniffedType {
  const sniffed =
    sniffPortableExecutable(head) ??
    sniffSignature(head) ??
    sniffShebang(head) ??
    sniffMarkup(head, hints) ??
    sniffContainer(head, hints) ??
    sniffShortSignature(head) ??
    (hasPdfSignature(head) ? typeWithoutScripts('application/pdf') : null) ??
    sniffText(head, hints) ??
    typeWithoutScripts(UNKNOWN);
  const executable =
    sniffed.executable || EXECUTABLE_EXTENSIONS.has(extensionOf(hints.filename ?? ''));
  // Viewers decompress compressed drawings.
  const scanNeeded = sniffed.mime === GZIP ? 'markup' : sniffed.scanNeeded;
  return { ...sniffed, executable, scanNeeded };
}

function sniffPortableExecutable(head: Buffer): SniffedType | null {
  if (!hasBytesAt(head, 'MZ')) return null;
  const header = head.length >= 0x40 ? head.readUInt32LE(0x3c) : 0;
  // Without the PE header it is an old DOS program, or a text that happens to start with MZ.
  if (!hasBytesAt(head, 'PE\0\0', header) && isUnicode(head)) return null;
  return typeWithoutScripts('application/vnd.microsoft.portable-executable', true);
}

function sniffSignature(head: Buffer): SniffedType | null {
  if (hasBytesAt(head, [0xca, 0xfe, 0xba, 0xbe])) {
    // Mach-O and Java class files begin with the same four bytes, followed by the number of architectures
    // in Mach-O and by the version in Java.
    const isJava = head.length >= 8 && head.readUInt32BE(4) > 30;
    return typeWithoutScripts(isJava ? 'application/java-vm' : 'application/x-mach-binary', true);
  }
  const found = SIGNATURES.find((one) => hasBytesAt(head, one.bytes));
  return found ? typeWithoutScripts(found.mime, found.executable ?? false) : null;
}

/** Detects a script by its interpreter line; any bytes may follow. */
function sniffShebang(head: Buffer): SniffedType | null {
  const line = head.toString('latin1', hasBytesAt(head, [0xef, 0xbb, 0xbf]) ? 3 : 0, 256);
  return /^#![ \t]*(?:\/|[\w.-]*(?:sh|env|python|perl|ruby|node|php|lua|awk)\d?[\s/])/.test(line)
    ? typeWithoutScripts('text/x-script', true)
    : null;
}

function sniffContainer(head: Buffer, hints: SniffHints): SniffedType | null {
  if (hasBytesAt(head, 'PK\x03\x04') || hasBytesAt(head, 'PK\x05\x06')) {
    const isWhole = (hints.bytes ?? head.length) <= head.length;
    return isWhole
      ? { ...zipKindOf(head), scanNeeded: false }
      : { ...guessZipKind(head), scanNeeded: 'archive' };
  }
  if (hasBytesAt(head, 'RIFF')) {
    const kind = head.toString('latin1', 8, 12);
    const mimes: Record<string, string> = {
      WEBP: 'image/webp',
      WAVE: 'audio/wav',
      'AVI ': 'video/x-msvideo',
    };
    return typeWithoutScripts(mimes[kind] ?? UNKNOWN);
  }
  if (hasBytesAt(head, 'ftyp', 4)) return typeWithoutScripts(mimeOfBrands(head));
  if (hasBytesAt(head, [0x1a, 0x45, 0xdf, 0xa3])) {
    const isWebm = head.subarray(0, 64).includes('webm');
    return typeWithoutScripts(isWebm ? 'video/webm' : 'video/x-matroska');
  }
  if (hasBytesAt(head, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) {
    // Old Office files, encrypted new ones and installers share this container. The directory that
    // distinguishes them may be anywhere in the file.
    return typeWithoutScripts('application/x-ole-storage');
  }
  return hasBytesAt(head, 'ustar', 257) ? typeWithoutScripts('application/x-tar') : null;
}

/** The brands of an ISO base media file (ISO/IEC 14496-12 §4.3). */
function mimeOfBrands(head: Buffer): string {
  const size = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) brands.push(head.toString('latin1', at, at + 4));
  const hasMajorBrand = (...names: string[]) => names.includes(brands[0] ?? '');
  const hasBrand = (...names: string[]) => brands.some((brand) => names.includes(brand));
  if (hasMajorBrand('avif', 'avis')) return 'image/avif';
  if (hasMajorBrand('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx')) return 'image/heic';
  if (hasMajorBrand('mif1', 'msf1', 'miaf')) {
    if (hasBrand('avif', 'avis')) return 'image/avif';
    return hasBrand('heic', 'heix', 'heim', 'heis') ? 'image/heic' : 'image/heif';
  }
  if (hasMajorBrand('qt  ')) return 'video/quicktime';
  if (hasMajorBrand('M4A ', 'M4B ')) return 'audio/mp4';
  return 'video/mp4';
}

/** Detects types whose signatures are too short unless the following bytes are checked. */
function sniffShortSignature(head: Buffer): SniffedType | null {
  if (hasBytesAt(head, 'BM') && head.length >= 18) {
    const headerSize = head.readUInt32LE(14);
    const reserved = head.readUInt32LE(6);
    if (reserved === 0 && [12, 40, 52, 56, 64, 108, 124].includes(headerSize)) {
      return typeWithoutScripts('image/bmp');
    }
  }
  // A JPEG XL codestream has a signature of two bytes (ISO/IEC 18181-1 §9.1); text has no control characters.
  if (hasBytesAt(head, [0xff, 0x0a]) && head.subarray(2, 64).some((byte) => byte < 0x09)) {
    return typeWithoutScripts('image/jxl');
  }
  if (head.length >= 3 && head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2) {
    // An MPEG audio frame of layer III: bit rate and sampling rate must be valid.
    const rates = head[2] ?? 0xff;
    if (rates >> 4 !== 0 && rates >> 4 !== 15 && ((rates >> 2) & 3) !== 3) {
      return typeWithoutScripts('audio/mpeg');
    }
  }
  return null;
}
