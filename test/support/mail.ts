import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findSecret } from './redact-kinds.ts';

const reader = fileURLToPath(new URL('./programs/read-mail.py', import.meta.url));

/** A part of a message as Python's `email` reads it. */
export interface ReadPart {
  type: string;
  disposition: string | null;
  filename: string | null;
  fields: [name: string, value: string][];
  defects: string[];
  bytes: Buffer;
  /** Its content as text. */
  text: string;
}

/** Reads a message with Python's `email`, which shares no code with the project. */
export function readWithPython(bytes: Uint8Array): ReadPart[] {
  const json = execFileSync('python3', [reader], { input: bytes, maxBuffer: 2 ** 30 });
  const parts = JSON.parse(json.toString()) as (Omit<ReadPart, 'bytes' | 'text'> & {
    payload: string;
    outside: string[];
  })[];
  return parts.map(({ payload, outside, ...part }) => {
    const content = Buffer.from(payload, 'base64');
    if (outside.some((text) => text.trim() !== '')) part.defects.push('text outside the parts');
    return { ...part, bytes: content, text: content.toString() };
  });
}

/** Returns where a message contains a secret: raw, in a decoded field, or in a decoded part. */
export const findInMail = (
  bytes: Uint8Array,
  parts: readonly ReadPart[],
  secret: string,
): string[] => [
  ...findSecret(bytes, secret),
  ...parts.flatMap(({ fields, bytes: content }) => [
    ...findSecret(Buffer.from(JSON.stringify(fields)), secret),
    ...(content.length > 0 ? findSecret(content, secret) : []),
  ]),
];

/** Writes a message or part: its fields, an empty line, and its body. */
export const entity = (fields: readonly string[], body: string | Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...fields, '', ''].join('\r\n'), 'latin1'), Buffer.from(body)]);

/** Writes the fields of a part with a content in base64. */
export const inBase64 = (type: string, content: string | Uint8Array, ...fields: string[]): Buffer =>
  entity(
    [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...fields],
    Buffer.from(content)
      .toString('base64')
      .replace(/.{1,76}/g, '$&\r\n'),
  );

/** Writes a container of parts, with further fields before its type. */
export function multipart(
  subtype: string,
  parts: readonly Uint8Array[],
  fields: readonly string[] = [],
  boundary = `b${subtype}`,
): Buffer {
  const sections = parts.map((part) => Buffer.concat([Buffer.from(`\r\n--${boundary}\r\n`), part]));
  return entity(
    [...fields, `Content-Type: multipart/${subtype}; boundary="${boundary}"`],
    Buffer.concat([...sections, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  );
}
