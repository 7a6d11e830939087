import { encodingOf } from '@scriptorium/documents/files/encoding';
import { decodeLeniently, decodeStrictly } from '@scriptorium/documents/files/encoding/decoders';
import { extensionOf } from './filename.ts';
import { plain, type Sniffed, type SniffHints } from './sniffed.ts';

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
export function sniffText(head: Buffer, hints: SniffHints): Sniffed | null {
  const bytes = hints.bytes ?? head.length;
  const text = decodeText(head, bytes);
  if (text === null) return null;
  const body = text.replace(/^\ufeff/, '').trimStart();
  const hinted = hintedText(hints);
  if (hinted === 'application/json' && !/^(?:[[{"\d-]|true|false|null|$)/.test(body)) {
    return plain('text/plain');
  }
  if (isMail(body, hinted)) return plain('message/rfc822');
  if (hinted) return plain(hinted === 'message/rfc822' ? 'text/plain' : hinted);
  if (head.length === 0) return null;
  return plain(isJson(body, bytes > head.length) ? 'application/json' : 'text/plain');
}

/**
 * The kind of text that the client declares, if any: by type or name, whichever is more specific.
 */
export function hintedText(hints: SniffHints): string | null {
  const declared = (hints.declaredMime ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const named = TEXT_BY_EXTENSION[extensionOf(hints.filename ?? '')] ?? null;
  if (!TEXT_MIMES.has(declared)) return named;
  if (declared === 'text/plain') return named ?? declared;
  return declared === 'text/xml' ? 'application/xml' : declared;
}

const mailFields =
  /^(?:received|return-path|delivered-to|message-id|mime-version|dkim-signature|x-mailer|from|to|cc|date|subject|reply-to|sender|content-type|x-[\w-]+|arc-[\w-]+|authentication-results|thread-[\w-]+|list-[\w-]+|references|in-reply-to|content-[\w-]+|user-agent|importance|received-spf|bcc|return-receipt-to|disposition-notification-to|organization|precedence|errors-to|auto-submitted|feedback-id)$/i;
const onlyMail = /^(?:received|return-path|delivered-to|message-id|mime-version|dkim-signature):/im;

/**
 * Whether a text begins with the header of an e-mail message. Without a declaration, there must
 * also be a field that programs add: people write the other fields above copied text.
 */
function isMail(body: string, hinted: string | null): boolean {
  if (hinted !== null && hinted !== 'message/rfc822') return false;
  const [head = ''] = body.replace(/^From .*\r?\n/, '').split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/).filter((line) => !/^[ \t]/.test(line));
  const fields = lines.flatMap((line) => /^([!-9;-~]{1,100}):/.exec(line)?.[1] ?? []);
  const known = fields.filter((name) => mailFields.test(name)).length;
  const isHeader = fields.length >= lines.length - 1 && known >= 2 && known >= fields.length / 2;
  return isHeader && (hinted !== null || onlyMail.test(head));
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

/** Whether the entire text is valid UTF-8 or UTF-16. */
export const isUnicode = (head: Buffer): boolean =>
  (encodingOf(head)?.name.startsWith('utf-') ?? false) && decodeText(head, head.length) !== null;

/**
 * The head as text without control characters, in any encoding that is recognised; null if it is not text.
 */
export function decodeText(head: Buffer, bytes: number): string | null {
  // The head may end in the middle of a character.
  const stream = bytes > head.length;
  const encoding = head.length === 0 ? null : encodingOf(head, undefined, !stream);
  if (!encoding) return head.length === 0 ? '' : null;
  const text = encoding.name.startsWith('utf-')
    ? decodeStrictly(head, encoding.name, !stream)
    : decodeLeniently(head, encoding.name);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the question
  const controls = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;
  return text === null || controls.test(text) ? null : text;
}
