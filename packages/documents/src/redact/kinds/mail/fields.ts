/*
 * The fields of a message that are kept: From, To, Cc, Date and Subject. They are rewritten, so that
 * nothing that was not read is kept. All other fields identify the message, the programs and
 * the hosts that it passed, or its thread.
 */
import { type Mailbox, parseMailboxes } from '../../../files/mail/addresses.ts';
import { decodeWords, textAsDeclared } from '../../../files/mail/encoded-words.ts';
import type { Headers } from '../../../files/mail/headers.ts';
import { newStream, type Piece, piece, type Stream } from '../stream.ts';

const addressFields = ['From', 'To', 'Cc'] as const;

/** The kept fields of a message, with their stream. */
export interface Fields {
  stream: Stream;
  /** The names and addresses of the recipients. */
  recipients: string[];
  /** Returns the names that are removed because their address is: see `FileReading`. */
  follow(touched: ReadonlySet<Piece>): Map<Piece, Piece>;
  /** Returns the lines of the header, each with its line end. */
  write(): string;
}

type WrittenMailbox = { name: Piece | null; address: Piece | null };

/** Reads the fields of a message that are kept. */
export function readFields(headers: Headers): Fields {
  const stream = newStream(1, { part: 'header' });
  const lists = addressFields.flatMap((field) => {
    const mailboxes = parseMailboxes(headers.get(field.toLowerCase()) ?? '')
      .map(({ name, address }) => ({ name: decoded(name), address: decoded(address) }))
      .filter(({ name, address }) => name !== '' || address !== '');
    if (mailboxes.length === 0) return [];
    stream.parts.push(`${field}: `);
    const written = mailboxes.map((mailbox, at) => {
      if (at > 0) stream.parts.push(', ');
      return addMailbox(stream, mailbox);
    });
    stream.parts.push('\n');
    return [{ field, mailboxes: written }];
  });
  const date = addField(stream, 'Date', dateOf(headers.get('date') ?? ''));
  const subject = addField(stream, 'Subject', decoded(headers.get('subject') ?? ''));
  return {
    stream,
    recipients: lists
      .filter(({ field }) => field !== 'From')
      .flatMap(({ mailboxes }) => mailboxes)
      .flatMap(({ name, address }) => [name?.text ?? [], address?.text ?? []].flat()),
    follow: (touched) => {
      const pairs = lists.flatMap(({ mailboxes }) =>
        mailboxes.flatMap(({ name, address }): [Piece, Piece][] =>
          // Of a name in which something else was found, the rest stays.
          name && address && touched.has(address) && !touched.has(name) ? [[name, address]] : [],
        ),
      );
      return new Map(pairs);
    },
    write: () =>
      [
        ...lists.map(({ field, mailboxes }) => {
          return `${field}: ${mailboxes.map(writeMailbox).join(',\r\n ')}\r\n`;
        }),
        // A date without its removed part is not a date.
        ...(date && date.redacted === null ? [`Date: ${date.text}\r\n`] : []),
        ...(subject ? [`Subject: ${writeText(currentText(subject))}\r\n`] : []),
      ].join(''),
  };
}

function addField(stream: Stream, name: string, text: string): Piece | null {
  if (text === '') return null;
  const value = piece(text);
  stream.parts.push(`${name}: `, value, '\n');
  return value;
}

function addMailbox(stream: Stream, mailbox: Mailbox): WrittenMailbox {
  const name = mailbox.name === '' ? null : piece(mailbox.name);
  const address = mailbox.address === '' ? null : piece(mailbox.address);
  // In scripts without capitals, names are found after labels.
  if (name && !/\p{Lu}|\p{Ll}/u.test(name.text)) stream.parts.push({ context: '\nName: ' });
  if (name) stream.parts.push(name);
  if (address) stream.parts.push(' <', address, '>');
  return { name, address };
}

const currentText = ({ text, redacted }: Piece): string => redacted ?? text;

/** An address that every program reads as it is written (RFC 5322, 3.4.1). */
const plainAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}$/;

/**
 * Writes a mailbox. One without an address becomes an empty group with its name (RFC 5322, 3.4),
 * which is valid wherever a mailbox is.
 */
function writeMailbox({ name, address }: WrittenMailbox): string {
  const text = name ? currentText(name) : '';
  const isKept = address !== null && address.redacted === null && plainAddress.test(address.text);
  if (isKept) return text === '' ? address.text : `${writePhrase(text)} <${address.text}>`;
  const all = [...new Set([text, address ? currentText(address) : ''])].join(' ').trim();
  // White space must follow an encoded word.
  return `${writePhrase(all)} :;`;
}

const isPlain = (text: string): boolean => /^[ -~]{1,60}$/.test(text) && !text.includes('=?');

const writePhrase = (text: string): string =>
  isPlain(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : encodeWords(text);

const writeText = (text: string): string => (isPlain(text) ? text : encodeWords(text));

/** The number of bytes in an encoded word, which must have at most 75 characters (RFC 2047). */
const wordBytes = 42;

/** Writes text as encoded words in UTF-8, one per line. */
function encodeWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > wordBytes) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`)
    .join('\r\n ');
}

/** Returns text without line ends and other control characters. */
const printable = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

/** Returns the text of a field. What still looks encoded was not read, so it is dropped. */
const decoded = (field: string): string =>
  printable(decodeWords(field, textAsDeclared).replace(/=\?[^?\s]*\?[bq]\?\S*/gi, ' '));

/** Returns a date in the form of RFC 5322, in UTC; empty if it cannot be read. */
function dateOf(field: string): string {
  const date = new Date(field.replace(/\([^()]*\)/g, ' ').trim());
  const year = date.getUTCFullYear();
  if (!(year >= 1900 && year <= 9999)) return '';
  return date.toUTCString().replace('GMT', '+0000');
}
