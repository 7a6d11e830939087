import { encodingOf } from '@scriptorium/documents/files/encoding';
import { decodeLeniently, decodeStrictly } from '@scriptorium/documents/files/encoding/decoders';
import { extensionOf } from './filename.ts';
import { type SniffedType, type SniffHints, typeWithoutScripts } from './sniffed-type.ts';

// Kinds of text that only a name or a declaration can distinguish.
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
  eml: 'message/rfc822',
  xml: 'application/xml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};
const TEXT_MIMES = new Set([...Object.values(TEXT_BY_EXTENSION), 'text/xml']);
/**
 * The kind of text that the client declares, or that the text resembles; null if it is not text.
 */
export function sniffText(head: Buffer, hints: SniffHints): SniffedType | null {
  const bytes = hints.bytes ?? head.length;
  const text = decodeText(head, bytes);
  if (text === null) return null;
  const body = text.replace(/^\ufeff/, '').trimStart();
  const hintedMime = hintedTextMime(hints);
  if (hintedMime === 'application/json' && !/^(?:[[{"\d-]|true|false|null|$)/.test(body)) {
    return typeWithoutScripts('text/plain');
  }
  if (isMail(body, hintedMime)) return typeWithoutScripts('message/rfc822');
  if (hintedMime)
    return typeWithoutScripts(hintedMime === 'message/rfc822' ? 'text/plain' : hintedMime);
  if (head.length === 0) return null;
  return typeWithoutScripts(isJson(body, bytes > head.length) ? 'application/json' : 'text/plain');
}

/**
 * The kind of text that the client declares, if any: by type or name, whichever is more specific.
 */
export function hintedTextMime(hints: SniffHints): string | null {
  const declaredMime = (hints.declaredMime ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const mimeByName = TEXT_BY_EXTENSION[extensionOf(hints.filename ?? '')] ?? null;
  if (!TEXT_MIMES.has(declaredMime)) return mimeByName;
  if (declaredMime === 'text/plain') return mimeByName ?? declaredMime;
  return declaredMime === 'text/xml' ? 'application/xml' : declaredMime;
}

const mailFields =
  /^(?:received|return-path|delivered-to|message-id|mime-version|dkim-signature|x-mailer|from|to|cc|date|subject|reply-to|sender|content-type|x-[\w-]+|arc-[\w-]+|authentication-results|thread-[\w-]+|list-[\w-]+|references|in-reply-to|content-[\w-]+|user-agent|importance|received-spf|bcc|return-receipt-to|disposition-notification-to|organization|precedence|errors-to|auto-submitted|feedback-id)$/i;
const programFields =
  /^(?:received|return-path|delivered-to|message-id|mime-version|dkim-signature):/im;

/**
 * Whether a text begins with the header of an e-mail message. Without a declaration, the header must
 * include a field that programs add, since people write the other fields above copied text.
 */
function isMail(body: string, hintedMime: string | null): boolean {
  if (hintedMime !== null && hintedMime !== 'message/rfc822') return false;
  const [head = ''] = body.replace(/^From .*\r?\n/, '').split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
  const fields = lines.flatMap((line) => /^([!-9;-~]{1,100}):/.exec(line)?.[1] ?? []);
  const knownCount = fields.filter((name) => mailFields.test(name)).length;
  const isHeader =
    fields.length >= lines.length - 1 && knownCount >= 2 && knownCount >= fields.length / 2;
  return isHeader && (hintedMime !== null || programFields.test(head));
}

function isJson(body: string, isTruncated: boolean): boolean {
  if (!/^[[{]/.test(body)) return false;
  if (isTruncated)
    return /^(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})|\[\s*(?:[[{"\d\]-]|true|false|null))/.test(body);
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Whether the entire text is valid UTF-8 or UTF-16. */
export const isUnicode = (head: Buffer): boolean =>
  (encodingOf(head)?.name.startsWith('utf-') ?? false) && decodeText(head, head.length) !== null;

/**
 * The head as text without control characters, in any encoding that is recognised; null if it is not text.
 */
export function decodeText(head: Buffer, bytes: number): string | null {
  // The head may end in the middle of a character.
  const isTruncated = bytes > head.length;
  const encoding = head.length === 0 ? null : encodingOf(head, undefined, !isTruncated);
  if (!encoding) return head.length === 0 ? '' : null;
  const text = encoding.name.startsWith('utf-')
    ? decodeStrictly(head, encoding.name, !isTruncated)
    : decodeLeniently(head, encoding.name);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it must match control characters
  const controlCharacters = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;
  return text === null || controlCharacters.test(text) ? null : text;
}
