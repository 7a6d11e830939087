import { shownField } from '../../../files/mail/headers.ts';
import { type MailPart, readMail } from '../../../files/mail/parts.ts';
import { textOfBytes } from '../../../files/mail/words.ts';
import { createUnread, type Unread } from '../../../files/unread/index.ts';
import type { AttachedFile, DocBlock, NormalDocument } from '../../document.ts';
import { onePage, plainSpan, textOf } from '../build.ts';
import { blocksOfHtml } from '../html/index.ts';
import { blocksOfText } from '../text.ts';
import { unflowed } from './flowed.ts';

/** The fields that mail programs show, in the usual order. */
const shownFields = ['From', 'To', 'Cc', 'Bcc', 'Reply-To', 'Date'];

/**
 * Reads an e-mail message (RFC 5322, MIME): its subject as a heading, the shown fields, its text,
 * the messages inside it, and a list of its attachments. Throws EngineError.
 */
export function readMailDocument(bytes: Uint8Array): NormalDocument {
  const message = readMail(bytes);
  const language = message.headers.get('content-language')?.split(',')[0]?.trim() || null;
  const attached: AttachedFile[] = [];
  const unread = createUnread();
  return {
    title: shownField(message.headers, 'subject') || null,
    language,
    pages: onePage,
    blocks: blocksOfMessage(message, 1, attached, unread),
    attached,
    unread: unread.kinds(),
  };
}

/** Returns the text of a web page that was saved as a message, without fields and pictures. */
export function blocksOfSavedPage(message: MailPart): DocBlock[] {
  const found = { attachments: [], messages: [], unread: createUnread(), isMail: false };
  return bodyOf(message, found);
}

function blocksOfMessage(
  message: MailPart,
  level: number,
  attached: AttachedFile[],
  unread: Unread,
): DocBlock[] {
  const blocks: DocBlock[] = [];
  const subject = shownField(message.headers, 'subject');
  if (subject !== '') blocks.push({ role: 'heading', level, ...textOf([plainSpan(subject)]) });
  const fields = shownFields.flatMap((name) => {
    const text = shownField(message.headers, name.toLowerCase());
    return text === '' ? [] : [`${name}: ${text}`];
  });
  if (fields.length > 0) {
    blocks.push({ role: 'paragraph', ...textOf([plainSpan(fields.join('\n'))]) });
  }
  const found: Found = { attachments: [], messages: [], unread, isMail: true };
  blocks.push(...bodyOf(message, found));
  for (const part of found.attachments) {
    const { filename, type: mime, content } = part;
    attached.push({ filename, mime, content });
    if (part === found.attachments[0]) {
      const heading = { role: 'heading', level: Math.min(6, level + 1) } as const;
      blocks.push({ ...heading, ...textOf([plainSpan('Attachments')]) });
    }
    const item = { role: 'list_item', level: 0, marker: '-', ordered: false } as const;
    blocks.push({ ...item, checked: null, ...textOf([plainSpan(named(part))]) });
  }
  for (const inner of found.messages) {
    blocks.push(...blocksOfMessage(inner, Math.min(6, level + 1), attached, unread));
  }
  return blocks;
}

type Found = {
  attachments: MailPart[];
  messages: MailPart[];
  unread: Unread;
  isMail: boolean;
};

/**
 * Parts that contain text of the message in a form that is not read: encrypted, packed by Outlook,
 * split over several messages, or stored elsewhere. Any other part is an attachment, and the
 * document contains its name.
 */
const holdsText =
  /^(?:application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted|(?:vnd\.)?ms-tnef)|multipart\/.*|message\/(?:partial|external-body|http|s-http|sip))$/;

/**
 * Returns the text of a part, and collects nested messages, attachments and unread parts in
 * `found`.
 */
function bodyOf(part: MailPart, found: Found): DocBlock[] {
  if (part.type === 'message/rfc822' && part.parts[0]) {
    found.messages.push(part.parts[0]);
    return [];
  }
  if (part.type === 'multipart/alternative') return alternativeOf(part, found);
  if (part.parts.length > 0) return part.parts.flatMap((one) => bodyOf(one, found));
  const isText = /^text\/(?:plain|html|markdown|enriched)$/.test(part.type);
  if (!isText || part.isAttachment) {
    if (part.content.length > 0) found.attachments.push(part);
    if (holdsText.test(part.type)) found.unread.add(part.type);
    return [];
  }
  return blocksOfPart(part, found);
}

/**
 * Reads one of several alternative forms of a text. HTML is preferred if it has any text, because
 * it has headings and tables.
 */
function alternativeOf(part: MailPart, found: Found): DocBlock[] {
  const read = part.parts.map((one) => {
    const own: Found = { ...found, attachments: [], messages: [] };
    return { own, blocks: bodyOf(one, own), isHtml: hasHtml(one) };
  });
  const full = read.filter(({ blocks }) => blocks.some((block) => block.role !== 'picture'));
  const chosen = full.find(({ isHtml }) => isHtml) ?? full.at(-1) ?? read.at(-1);
  for (const { own } of read) {
    found.attachments.push(...own.attachments);
    found.messages.push(...own.messages);
  }
  return chosen?.blocks ?? [];
}

const hasHtml = (part: MailPart): boolean =>
  part.type === 'text/html' || part.parts.some((one) => hasHtml(one));

function blocksOfPart(
  { type, parameters, content }: MailPart,
  { unread, isMail }: Found,
): DocBlock[] {
  const charset = parameters.get('charset');
  const text = type === 'text/html' ? htmlText(content, charset) : textOfBytes(content, charset);
  // The content is not text in any encoding.
  if (text === '' && content.length > 0) unread.add(type);
  if (type === 'text/html') return blocksOfHtml(text, { isMail, unread });
  const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed';
  const plain = isFlowed ? unflowed(text, parameters.get('delsp')?.toLowerCase() === 'yes') : text;
  return blocksOfText(type === 'text/enriched' ? plain.replace(/<[^<>]{0,200}>/g, '') : plain);
}

/**
 * Decodes HTML in the encoding that the part declares, or else in the one that the page declares.
 */
function htmlText(content: Uint8Array, charset: string | undefined): string {
  const head = Buffer.from(content.subarray(0, 4096)).toString('latin1');
  return textOfBytes(
    content,
    charset ?? /<meta[^>]{0,500}charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1],
  );
}

function named({ filename, type, content }: MailPart): string {
  const size =
    content.length < 10_240
      ? `${content.length} bytes`
      : `${Math.round(content.length / 1024)} KiB`;
  return `${filename ?? 'without a name'} (${type}, ${size})`;
}
