import { textOfBytes } from '../../../files/mail/encoded-words.ts';
import { displayedField } from '../../../files/mail/headers.ts';
import { type MailPart, readMail } from '../../../files/mail/parts.ts';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import type { AttachedFile, DocBlock, NormalDocument } from '../../document.ts';
import { onePage, plainSpan, toTextFields } from '../build-blocks.ts';
import { blocksOfHtml } from '../html/index.ts';
import { blocksOfText } from '../text.ts';
import { unwrapFlowed } from './flowed.ts';

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
  const unread = createUnreadKinds();
  return {
    title: displayedField(message.headers, 'subject') || null,
    language,
    pages: onePage,
    blocks: blocksOfMessage(message, 1, attached, unread),
    attached,
    unread: unread.kinds(),
  };
}

/** Returns the text of a web page that was saved as a message, without fields and pictures. */
export function blocksOfSavedPage(message: MailPart): DocBlock[] {
  const collected = { attachments: [], messages: [], unread: createUnreadKinds(), isMail: false };
  return bodyOf(message, collected);
}

function blocksOfMessage(
  message: MailPart,
  level: number,
  attached: AttachedFile[],
  unread: UnreadKinds,
): DocBlock[] {
  const blocks: DocBlock[] = [];
  const subject = displayedField(message.headers, 'subject');
  if (subject !== '')
    blocks.push({ role: 'heading', level, ...toTextFields([plainSpan(subject)]) });
  const fields = shownFields.flatMap((name) => {
    const text = displayedField(message.headers, name.toLowerCase());
    return text === '' ? [] : [`${name}: ${text}`];
  });
  if (fields.length > 0) {
    blocks.push({ role: 'paragraph', ...toTextFields([plainSpan(fields.join('\n'))]) });
  }
  const collected: CollectedParts = { attachments: [], messages: [], unread, isMail: true };
  blocks.push(...bodyOf(message, collected));
  for (const part of collected.attachments) {
    const { filename, type: mime, content } = part;
    attached.push({ filename, mime, content });
    if (part === collected.attachments[0]) {
      const heading = { role: 'heading', level: Math.min(6, level + 1) } as const;
      blocks.push({ ...heading, ...toTextFields([plainSpan('Attachments')]) });
    }
    const item = { role: 'list_item', level: 0, marker: '-', ordered: false } as const;
    blocks.push({ ...item, checked: null, ...toTextFields([plainSpan(attachmentLabel(part))]) });
  }
  for (const nested of collected.messages) {
    blocks.push(...blocksOfMessage(nested, Math.min(6, level + 1), attached, unread));
  }
  return blocks;
}

type CollectedParts = {
  attachments: MailPart[];
  messages: MailPart[];
  unread: UnreadKinds;
  isMail: boolean;
};

/**
 * Parts that contain text of the message in a form that is not read: encrypted, packed by Outlook,
 * split over several messages, or stored elsewhere. Any other part is an attachment, and the
 * document contains its name.
 */
const unreadTextType =
  /^(?:application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted|(?:vnd\.)?ms-tnef)|multipart\/.*|message\/(?:partial|external-body|http|s-http|sip))$/;

/**
 * Returns the text of a part, and collects nested messages, attachments and unread parts in
 * `found`.
 */
function bodyOf(part: MailPart, collected: CollectedParts): DocBlock[] {
  if (part.type === 'message/rfc822' && part.parts[0]) {
    collected.messages.push(part.parts[0]);
    return [];
  }
  if (part.type === 'multipart/alternative') return alternativeOf(part, collected);
  if (part.parts.length > 0) return part.parts.flatMap((one) => bodyOf(one, collected));
  const isText = /^text\/(?:plain|html|markdown|enriched)$/.test(part.type);
  if (!isText || part.isAttachment) {
    if (part.content.length > 0) collected.attachments.push(part);
    if (unreadTextType.test(part.type)) collected.unread.add(part.type);
    return [];
  }
  return blocksOfPart(part, collected);
}

/**
 * Reads one of several alternative forms of a text. Prefers HTML with text, because it has headings
 * and tables.
 */
function alternativeOf(part: MailPart, collected: CollectedParts): DocBlock[] {
  const alternatives = part.parts.map((one) => {
    const branch: CollectedParts = { ...collected, attachments: [], messages: [] };
    return { own: branch, blocks: bodyOf(one, branch), isHtml: hasHtml(one) };
  });
  const withText = alternatives.filter(({ blocks }) =>
    blocks.some((block) => block.role !== 'picture'),
  );
  const chosen = withText.find(({ isHtml }) => isHtml) ?? withText.at(-1) ?? alternatives.at(-1);
  for (const { own } of alternatives) {
    collected.attachments.push(...own.attachments);
    collected.messages.push(...own.messages);
  }
  return chosen?.blocks ?? [];
}

const hasHtml = (part: MailPart): boolean =>
  part.type === 'text/html' || part.parts.some((one) => hasHtml(one));

function blocksOfPart(
  { type, parameters, content }: MailPart,
  { unread, isMail }: CollectedParts,
): DocBlock[] {
  const charset = parameters.get('charset');
  const text = type === 'text/html' ? htmlText(content, charset) : textOfBytes(content, charset);
  // The content is not text in any encoding.
  if (text === '' && content.length > 0) unread.add(type);
  if (type === 'text/html') return blocksOfHtml(text, { isMail, unread });
  const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed';
  const plain = isFlowed
    ? unwrapFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes')
    : text;
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

function attachmentLabel({ filename, type, content }: MailPart): string {
  const size =
    content.length < 10_240
      ? `${content.length} bytes`
      : `${Math.round(content.length / 1024)} KiB`;
  return `${filename ?? 'without a name'} (${type}, ${size})`;
}
