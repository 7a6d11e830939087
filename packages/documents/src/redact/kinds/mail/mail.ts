import type { UnpagedKind } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import { decodeHtml } from '../../../files/html.ts';
import { textAsDeclared } from '../../../files/mail/encoded-words.ts';
import { type MailPart, type PartBudget, readMail } from '../../../files/mail/parts.ts';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import { readZip } from '../../../files/zip.ts';
import { unwrapFlowed } from '../../../normalize/kinds/mail/flowed.ts';
import { type EmbeddedFiles, embeddedTypeOf, noEmbeddedFiles } from '../embedded/files.ts';
import { addCharacters, type FileReading, type Piece, type Stream } from '../stream.ts';
import { readFields } from './fields.ts';
import { isSignature, isVagueType, partKinds, redactablePart, typeName } from './part-kinds.ts';
import { readPlainBody } from './plain-body.ts';
import { type MessageNode, type MultipartForm, type PartNode, writeMessage } from './write.ts';

/** Maximum size of the attached packages, unpacked, in bytes. Their elements stay in memory. */
const maxPackageBytes = 128 * 2 ** 20;

interface ReadState {
  embedded: EmbeddedFiles;
  /** The new ids of parts with pictures, by their ids. They are unique (RFC 2045, 7). */
  ids: Map<string, string>;
  streams: Stream[];
  follows: NonNullable<FileReading['follow']>[];
  unread: UnreadKinds;
  pictures: number;
  characters: number;
  budget: PartBudget;
  recipients: string[];
  packageBytes: number;
}

/**
 * Reads an e-mail message (RFC 5322, MIME): the kept fields, its bodies in all alternative forms,
 * attached messages, attached files of kinds that can be redacted, and the redactions of pictures
 * and PDF files. Everything is one page, so
 * that a person found in one part is searched for in all. Other parts are left out.
 * @throws EngineError if the file is not a message, or has too many parts, levels or characters
 */
export function readMailStreams(
  bytes: Uint8Array,
  embedded: EmbeddedFiles = noEmbeddedFiles,
): FileReading {
  const ids = new Map<string, string>();
  const state: ReadState = {
    embedded: { ...embedded, idOfPart: (id) => ids.get(id) },
    ids,
    streams: [],
    follows: [],
    unread: createUnreadKinds(),
    pictures: 0,
    characters: 0,
    budget: { parts: 0 },
    recipients: [],
    packageBytes: 0,
  };
  const message = readMessage(readMail(bytes, state.budget), 0, state);
  return {
    pages: 1,
    streams: state.streams,
    pictures: state.pictures,
    dropped: state.unread.kinds(),
    recipients: state.recipients,
    follow: (touched) => {
      const dependents = new Map<Piece, Piece>();
      for (const follow of state.follows) {
        for (const [dependent, origin] of follow(touched)) dependents.set(dependent, origin);
      }
      return dependents;
    },
    write: () => writeMessage(message),
  };
}

function readMessage(part: MailPart, depth: number, state: ReadState): MessageNode {
  numberPictures(part, state);
  const fields = readFields(part.headers);
  addStreams(state, [fields.stream]);
  state.follows.push(fields.follow);
  // Those of attached messages are other people.
  if (depth === 0) state.recipients.push(...fields.recipients);
  return { fields: fields.write, body: readPart(part, depth, state) ?? textNode('') };
}

/** Returns the id of a part to which texts of its message refer (RFC 2392). */
const idOf = ({ headers }: MailPart): string =>
  (headers.get('content-id') ?? '').trim().replace(/^<(.*)>$/s, '$1');

/** Gives new ids to the pictures of a message to which its texts may refer. */
function numberPictures(part: MailPart, state: ReadState): void {
  const id = idOf(part);
  if (id !== '' && part.type.startsWith('image/') && !state.ids.has(id)) {
    const isProven = state.embedded.provenOf(part.content, 'attachment') !== null;
    if (isProven) state.ids.set(id, `picture-${state.ids.size + 1}@message`);
  }
  for (const inner of part.parts) numberPictures(inner, state);
}

/** Returns the node for a part; null for a part that is left out without a note. */
function readPart(part: MailPart, depth: number, state: ReadState): PartNode | null {
  const { type, parts, content } = part;
  const [inner] = parts;
  if (type === 'message/rfc822' && inner) {
    return { form: 'message', message: readMessage(inner, depth + 1, state) };
  }
  if (type.startsWith('multipart/') && inner) {
    const isAlternative = type === 'multipart/alternative';
    const children = parts.flatMap((one) => {
      const child = readPart(one, depth, state);
      // A note would be taken for the best of the alternatives.
      return child === null || (isAlternative && child === leftOutNote) ? [] : [child];
    });
    return children.length === 0 ? null : { form: formOf(type), children };
  }
  return content.length === 0 ? null : (readContent(part, depth, state) ?? leaveOut(part, state));
}

/** Returns the form of a container. Others than these three are read as a list of parts. */
const formOf = (type: string): MultipartForm =>
  type === 'multipart/alternative' || type === 'multipart/related' ? type : 'multipart/mixed';

const textNode = (text: string): PartNode => {
  const write = (): Uint8Array => Buffer.from(text, 'utf8');
  return { form: 'content', mime: 'text/plain', isAttachment: false, write };
};

const leftOutNote = textNode('(A part of this message was removed here.)\r\n');

/** Leaves out a part, with a note in its place unless it belongs to another part. */
function leaveOut({ type, isAttachment }: MailPart, state: ReadState): PartNode | null {
  if (type.startsWith('image/')) state.pictures += 1;
  else state.unread.add(typeName(type));
  const belongsToOther = isSignature(type) || (type.startsWith('image/') && !isAttachment);
  return belongsToOther ? null : leftOutNote;
}

const knownTransferEncoding = /^(?:|7bit|8bit|binary|quoted-printable|base64)$/;

/** Reads the content of a part; null if it cannot be read, or not be redacted. */
function readContent(part: MailPart, depth: number, state: ReadState): PartNode | null {
  const { headers, type, content, filename, isAttachment } = part;
  const transferEncoding = headers.get('content-transfer-encoding') ?? '';
  if (!knownTransferEncoding.test(transferEncoding.trim().toLowerCase())) return null;
  if (type === 'text/enriched') return readBody(part, state);
  const redactable = redactablePart(part);
  if (!redactable) return readEmbedded(part, state);
  const { mime, kind } = redactable;
  if (kind === 'mail') {
    const message = orNull(() => readMail(content, state.budget, depth + 1), ['too_large']);
    return message && { form: 'message', message: readMessage(message, depth + 1, state) };
  }
  if (type === 'text/plain' && !isAttachment) return readBody(part, state);
  const bytes = bytesFor(kind, part);
  if (bytes && (kind === 'docx' || kind === 'xlsx')) countPackage(bytes, state);
  const reading = bytes && orNull(() => partKinds[kind].read(bytes, state.embedded), []);
  if (!reading) return null;
  addStreams(state, reading.streams);
  if (reading.follow) state.follows.push(reading.follow);
  state.pictures += reading.pictures;
  for (const name of reading.dropped ?? []) state.unread.add(name);
  // Programs show only text within a message.
  const isFile = isAttachment || filename !== null || !mime.startsWith('text/');
  return { form: 'content', mime, isAttachment: isFile, write: reading.write };
}

/** Returns the redaction of a picture or PDF file; null without one. */
function readEmbedded(part: MailPart, state: ReadState): PartNode | null {
  const { type, content, filename, isAttachment } = part;
  const isDeclared = type.startsWith('image/') || /^application\/(?:x-)?pdf$/.test(type);
  if (!isDeclared && !(isVagueType(type) && embeddedTypeOf(content) !== null)) return null;
  const proven = state.embedded.provenOf(content, 'attachment');
  if (!proven) return null;
  const contentId = state.ids.get(idOf(part));
  return {
    form: 'content',
    mime: proven.mime,
    isAttachment: isAttachment || (filename !== null && contentId === undefined),
    ...(contentId === undefined ? {} : { contentId }),
    write: () => proven.bytes,
  };
}

/** Reads a body in plain or enriched text (RFC 1896); null if it is not text. */
function readBody(part: MailPart, state: ReadState): PartNode | null {
  const text = textOf(part);
  if (text === null) return null;
  const { type, parameters } = part;
  const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed';
  const plain = isFlowed
    ? unwrapFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes')
    : text;
  const body = readPlainBody(type === 'text/enriched' ? plain.replace(/<[^<>]*>/g, '') : plain);
  if (body.hasRemoved) state.unread.add('file inside text');
  addStreams(state, [body.stream]);
  return { form: 'content', mime: 'text/plain', isAttachment: false, write: body.write };
}

/** Returns the bytes of a file, with text in UTF-8; null if it is not text in a known encoding. */
function bytesFor(kind: UnpagedKind, part: MailPart): Uint8Array | null {
  if (kind === 'docx' || kind === 'xlsx' || kind === 'rtf') return part.content;
  const text = textOf(part, kind === 'html');
  return text === null ? null : Buffer.from(text, 'utf8');
}

/** Adds the size of a package. A damaged one is rejected by its reader. */
function countPackage(bytes: Uint8Array, state: ReadState): void {
  const add = (_: string, size: number): boolean => {
    state.packageBytes += size;
    return false;
  };
  orNull(() => readZip(bytes, add), []);
  if (state.packageBytes > maxPackageBytes) {
    throw new EngineError('too_large', 'The attached files are larger than 128 MiB unpacked.');
  }
}

/** Returns the text of a part; null if it is not text in a known encoding. */
function textOf({ parameters, content }: MailPart, isHtml = false): string | null {
  const charset = parameters.get('charset');
  const text =
    isHtml && charset === undefined
      ? (orNull(() => decodeHtml(content), []) ?? '')
      : textAsDeclared(content, charset);
  // The text is written in UTF-8, in which escapes would mean another encoding.
  return text === '' ? null : text.replaceAll('\x1b', '');
}

/** Returns null in place of an EngineError, except for errors with one of the codes. */
function orNull<T>(read: () => T, thrown: readonly string[]): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError && !thrown.includes(error.code)) return null;
    throw error;
  }
}

/** Adds streams. All text of a message is on its one page. */
function addStreams(state: ReadState, streams: readonly Stream[]): void {
  for (const stream of streams) {
    state.characters = addCharacters(state.characters, stream);
    const isShown = stream.page !== null;
    // The texts of two parts must not be read as one line.
    const parts = isShown ? [...stream.parts, '\n'] : stream.parts;
    state.streams.push({ ...stream, page: isShown ? 1 : null, parts });
  }
}
