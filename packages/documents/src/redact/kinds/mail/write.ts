import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import { extensionOf } from './part-kinds.ts';

export type MultipartForm = 'multipart/mixed' | 'multipart/alternative' | 'multipart/related';

/** A part of an output. */
export type PartNode =
  | { form: MultipartForm; children: PartNode[] }
  | { form: 'message'; message: MessageNode }
  | {
      form: 'content';
      mime: SourceMime;
      isAttachment: boolean;
      /** The id to which texts of the message refer. Default: none. */
      contentId?: string;
      write(): Uint8Array;
    };

export interface MessageNode {
  /** Returns the lines of the kept fields, each with its line end. */
  fields(): string;
  body: PartNode;
}

/** Numbers of the boundaries and attachments of a file, which replace the names of the source. */
interface Counts {
  boundaries: number;
  attachments: number;
}

/**
 * Writes a message in ASCII, with every content in base64. Its boundaries and names of attachments
 * are numbers, so they reveal nothing.
 */
export function writeMessage(message: MessageNode): Uint8Array {
  return Buffer.from(messageText(message, { boundaries: 0, attachments: 0 }), 'latin1');
}

function messageText({ fields, body }: MessageNode, counts: Counts): string {
  return `${fields()}MIME-Version: 1.0\r\n${partText(body, counts)}`;
}

function partText(node: PartNode, counts: Counts): string {
  if (node.form === 'message') {
    return `Content-Type: message/rfc822\r\n\r\n${messageText(node.message, counts)}`;
  }
  if (node.form !== 'content') {
    counts.boundaries += 1;
    // No line of base64 begins like this, and no boundary is the beginning of another.
    const boundary = `=_${String(counts.boundaries).padStart(4, '0')}`;
    const parts = node.children.map((child) => `--${boundary}\r\n${partText(child, counts)}\r\n`);
    return `Content-Type: ${node.form}; boundary="${boundary}"\r\n\r\n${parts.join('')}--${boundary}--\r\n`;
  }
  const { mime, isAttachment, contentId } = node;
  if (isAttachment) counts.attachments += 1;
  const charset = mime.startsWith('text/') ? '; charset=utf-8' : '';
  const disposition = isAttachment
    ? `attachment; filename="attachment-${counts.attachments}.${extensionOf(mime)}"`
    : 'inline';
  const lines =
    Buffer.from(node.write())
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [
    `Content-Type: ${mime}${charset}`,
    `Content-Disposition: ${disposition}`,
    ...(contentId === undefined ? [] : [`Content-ID: <${contentId}>`]),
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
    '',
  ].join('\r\n');
}
