/**
 * What bytes are, told from their beginning. The name and the type that a client gives are believed
 * only between kinds of text, where bytes cannot tell; everything else is signatures.
 */
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { hasActiveContent, scanForScripts } from './active-content.ts';
import { extensionOf } from './filename.ts';
import { sniffZip } from './zip-peek.ts';

export interface Sniffed {
  mime: string;
  /** A machine or a shell would run it. */
  executable: boolean;
  /** It holds scripts that a viewer would run (SVG, HTML, XML) or macros (office files). */
  scripted: boolean;
  /** The file is longer than the head and scripts may follow: ask `findScripts` about all of it. */
  scanNeeded: boolean;
}

/** What the client says about a file; `bytes` is the length of all of it where that is known. */
interface SniffHints {
  filename?: string | undefined;
  declaredMime?: string | undefined;
  bytes?: number | undefined;
}

const UNKNOWN = 'application/octet-stream';

interface Signature {
  mime: string;
  at?: number;
  bytes: string | readonly number[];
  executable?: boolean;
}

// In order: what runs comes first, so that no harmless signature can hide it.
const SIGNATURES: readonly Signature[] = [
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
  { mime: 'application/gzip', bytes: [0x1f, 0x8b, 0x08] },
  { mime: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { mime: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { mime: 'application/x-bzip2', bytes: 'BZh' },
  { mime: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { mime: 'application/zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { mime: 'application/x-tar', at: 257, bytes: 'ustar' },
  { mime: 'audio/ogg', bytes: 'OggS' },
  { mime: 'audio/flac', bytes: 'fLaC' },
  { mime: 'audio/mpeg', bytes: 'ID3' },
  { mime: 'application/postscript', bytes: '%!PS' },
  { mime: 'application/rtf', bytes: '{\\rtf' },
];

// Kinds of text that only a name or a declaration can tell apart.
const TEXT_BY_EXTENSION: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  json: 'application/json',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};
const TEXT_MIMES = new Set([...Object.values(TEXT_BY_EXTENSION), 'text/xml']);
const SHELL_EXTENSIONS = new Set([
  ...['bat', 'cmd', 'ps1', 'psm1', 'vbs', 'vbe', 'wsf', 'wsh', 'hta', 'sh', 'bash', 'zsh', 'csh'],
  ...['reg', 'scf', 'url', 'desktop', 'command', 'applescript', 'jse', 'inf'],
]);

/** Names the type of a file by its first bytes (up to 64 KiB). Never throws. */
export function sniff(head: Buffer, hints: SniffHints = {}): Sniffed {
  return (
    sniffPortableExecutable(head) ??
    sniffSignature(head) ??
    sniffContainer(head) ??
    sniffWeak(head) ??
    sniffLatePdf(head) ??
    sniffText(head, hints) ??
    plain(UNKNOWN)
  );
}

/** True when a whole SVG or HTML file holds scripts; for files where `scanNeeded` was set. */
export function findScripts(stream: Readable): Promise<boolean> {
  return scanForScripts(stream);
}

function plain(mime: string, executable = false): Sniffed {
  return { mime, executable, scripted: false, scanNeeded: false };
}

function sniffPortableExecutable(head: Buffer): Sniffed | null {
  if (!has(head, 'MZ')) return null;
  const header = head.length >= 0x40 ? head.readUInt32LE(0x3c) : 0;
  // Without the PE header it is an old DOS program, or a text that happens to start with MZ.
  if (!has(head, 'PE\0\0', header) && decodeText(head, head.length) !== null) return null;
  return plain('application/vnd.microsoft.portable-executable', true);
}

function sniffSignature(head: Buffer): Sniffed | null {
  if (has(head, [0xca, 0xfe, 0xba, 0xbe])) {
    // The same four bytes: a Mach-O for several processors counts them next, Java its version.
    const java = head.length >= 8 && head.readUInt32BE(4) > 30;
    return plain(java ? 'application/java-vm' : 'application/x-mach-binary', true);
  }
  const found = SIGNATURES.find((one) => has(head, one.bytes, one.at ?? 0));
  return found ? plain(found.mime, found.executable ?? false) : null;
}

function sniffContainer(head: Buffer): Sniffed | null {
  if (has(head, 'PK\x03\x04') || has(head, 'PK\x05\x06')) {
    return { ...sniffZip(head), scanNeeded: false };
  }
  if (has(head, 'RIFF')) {
    const kind = head.toString('latin1', 8, 12);
    const mimes: Record<string, string> = {
      WEBP: 'image/webp',
      WAVE: 'audio/wav',
      'AVI ': 'video/x-msvideo',
    };
    return plain(mimes[kind] ?? UNKNOWN);
  }
  if (has(head, 'ftyp', 4)) return plain(mimeOfBrands(head));
  if (has(head, [0x1a, 0x45, 0xdf, 0xa3])) {
    const webm = head.subarray(0, 64).includes('webm');
    return plain(webm ? 'video/webm' : 'video/x-matroska');
  }
  if (has(head, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) {
    // Old office files, encrypted new ones and installers share this container; which one it is
    // stands in a directory that may be anywhere.
    return plain('application/x-ole-storage');
  }
  return null;
}

/** The brands of an ISO base media file (ISO/IEC 14496-12 §4.3). */
function mimeOfBrands(head: Buffer): string {
  const size = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) brands.push(head.toString('latin1', at, at + 4));
  const is = (...names: string[]) => names.includes(brands[0] ?? '');
  const among = (...names: string[]) => brands.some((brand) => names.includes(brand));
  if (is('avif', 'avis')) return 'image/avif';
  if (is('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx')) return 'image/heic';
  if (is('mif1', 'msf1', 'miaf')) {
    if (among('avif', 'avis')) return 'image/avif';
    return among('heic', 'heix', 'heim', 'heis') ? 'image/heic' : 'image/heif';
  }
  if (is('qt  ')) return 'video/quicktime';
  if (is('M4A ', 'M4B ')) return 'audio/mp4';
  return 'video/mp4';
}

/** Signatures too short to be believed without a look at what follows. */
function sniffWeak(head: Buffer): Sniffed | null {
  if (has(head, 'BM') && head.length >= 18) {
    const headerSize = head.readUInt32LE(14);
    const reserved = head.readUInt32LE(6);
    if (reserved === 0 && [12, 40, 52, 56, 64, 108, 124].includes(headerSize)) {
      return plain('image/bmp');
    }
  }
  if (head.length >= 3 && head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2) {
    // An MPEG audio frame of layer III: bit rate and sampling rate must be real ones.
    const rates = head[2] ?? 0xff;
    if (rates >> 4 !== 0 && rates >> 4 !== 15 && ((rates >> 2) & 3) !== 3) {
      return plain('audio/mpeg');
    }
  }
  return null;
}

/** Readers of PDF accept its mark anywhere in the first kilobyte, so hiding it must not help. */
function sniffLatePdf(head: Buffer): Sniffed | null {
  const mark = head.subarray(0, 1024 + 5).indexOf('%PDF-');
  return mark >= 0 ? plain('application/pdf') : null;
}

function sniffText(head: Buffer, hints: SniffHints): Sniffed | null {
  const bytes = hints.bytes ?? head.length;
  const text = decodeText(head, bytes);
  if (text === null) return null;
  const extension = extensionOf(hints.filename ?? '');
  const shell = SHELL_EXTENSIONS.has(extension);
  if (/^#![ \t]*\//.test(text)) return plain('text/x-script', true);
  const body = text.replace(/^\ufeff/, '').trimStart();
  const hinted = hintedText(hints, extension);
  const markup = mimeOfMarkup(body, hinted);
  if (markup) {
    // Plain XML, too: a browser runs the SVG or XHTML that is inside.
    const scripted = hasActiveContent(text);
    const scanNeeded = !scripted && bytes > head.length;
    return { mime: markup, executable: shell, scripted, scanNeeded };
  }
  if (hinted === 'application/json' && !/^(?:[[{"\d-]|true|false|null|$)/.test(body)) {
    return plain('text/plain', shell);
  }
  if (hinted) return plain(hinted, shell);
  if (head.length === 0) return null;
  return plain(isJson(body, bytes > head.length) ? 'application/json' : 'text/plain', shell);
}

/** The kind of text that the client means, when it names one; the more exact of type and name. */
function hintedText(hints: SniffHints, extension: string): string | null {
  const declared = (hints.declaredMime ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const named = TEXT_BY_EXTENSION[extension] ?? null;
  if (!TEXT_MIMES.has(declared)) return named;
  if (declared === 'text/plain') return named ?? declared;
  return declared === 'text/xml' ? 'application/xml' : declared;
}

function mimeOfMarkup(body: string, hinted: string | null): string | null {
  if (!body.startsWith('<')) return hinted === 'text/html' ? 'text/html' : null;
  const root = afterProlog(body);
  if (/^<(?:[\w.-]+:)?svg[\s/>]/i.test(root)) return 'image/svg+xml';
  if (/^<!DOCTYPE\s+html\b/i.test(root) || /^<(?:html|head|body|script|iframe)[\s/>]/i.test(root)) {
    return /^<\?xml\s/i.test(body) ? 'application/xhtml+xml' : 'text/html';
  }
  if (/^<\?xml\s/i.test(body)) return 'application/xml';
  if (hinted === 'text/html' || hinted === 'application/xml') return hinted;
  // Markdown often starts with a tag; without a word from the client a browser's guess is ours.
  const weak = /^<(?:h[1-6]|div|font|table|a|style|title|b|br|p|img|meta|link)[\s/>]/i.test(root);
  return hinted === null && weak ? 'text/html' : null;
}

/** What follows declaration, comments, instructions and a doctype other than html's. */
function afterProlog(body: string): string {
  // By hand: as one pattern this is quadratic on input made for it.
  let rest = body;
  for (;;) {
    let end: number;
    if (rest.startsWith('<?')) end = endOf(rest, '?>');
    else if (rest.startsWith('<!--')) end = endOf(rest, '-->');
    else if (/^<!DOCTYPE\s/i.test(rest) && !/^<!DOCTYPE\s{1,64}html\b/i.test(rest)) {
      const subset = rest.indexOf('[');
      const close = endOf(rest, '>');
      end = subset >= 0 && subset < close ? endOf(rest, ']', '>') : close;
    } else return rest;
    if (end < 0) return '';
    rest = rest.slice(end).trimStart();
  }
}

/** The index behind the marks, found one after the other; -1 when one is missing. */
function endOf(text: string, ...marks: string[]): number {
  let at = 0;
  for (const mark of marks) {
    const found = text.indexOf(mark, at);
    if (found < 0) return -1;
    at = found + mark.length;
  }
  return at;
}

function isJson(body: string, cut: boolean): boolean {
  if (!/^[[{]/.test(body)) return false;
  if (cut)
    return /^(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})|\[\s*(?:[[{"\d\]-]|true|false|null))/.test(body);
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** The head as text, or null when it is none: UTF-8 without control characters, or marked UTF-16. */
function decodeText(head: Buffer, bytes: number): string | null {
  const utf16 = has(head, [0xff, 0xfe]) ? 'utf-16le' : has(head, [0xfe, 0xff]) ? 'utf-16be' : null;
  try {
    // A head that is cut may end in the middle of a character.
    const decoder = new TextDecoder(utf16 ?? 'utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(head, { stream: bytes > head.length });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the question
    return /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

function has(head: Buffer, bytes: string | readonly number[], at = 0): boolean {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
  return head.length >= at + wanted.length && head.subarray(at, at + wanted.length).equals(wanted);
}
