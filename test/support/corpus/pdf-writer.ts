import { deflateSync } from 'node:zlib';

/** An object's number in the PDF being written. */
export type Ref = number;
export const ref = (number: Ref): string => `${number} 0 R`;

/**
 * Writes a PDF object by object, as text: the corpus needs what libraries put right or cannot say
 * (nested forms, Type 3, earlier revisions, object streams). The same calls give the same bytes.
 */
export class PdfWriter {
  private readonly objects: { body: string; stream: Buffer | null }[] = [];

  /** A number for an object that is given later by `set`. */
  reserve(): Ref {
    return this.objects.push({ body: 'null', stream: null });
  }

  set(number: Ref, body: string): void {
    this.objects[number - 1] = { body, stream: null };
  }

  add(body: string): Ref {
    return this.objects.push({ body, stream: null });
  }

  /** A stream; `dictionary` is what goes between the brackets, without Length and Flate. */
  stream(dictionary: string, bytes: Buffer | string, compress = true): Ref {
    const raw = Buffer.from(bytes as string, 'latin1');
    const data = compress ? deflateSync(raw, { level: 9 }) : raw;
    const filter = compress ? '/Filter /FlateDecode ' : '';
    const body = `<< ${dictionary} ${filter}/Length ${data.length} >>`;
    return this.objects.push({ body, stream: data });
  }

  /** Changes part of an object's dictionary. */
  replace(number: Ref, from: string, to: string): void {
    const { body, stream } = this.objects[number - 1]!;
    this.objects[number - 1] = { body: body.replace(from, to), stream };
  }

  /** Adds entries to the dictionary of an object. */
  extend(number: Ref, entries: string): void {
    const { body, stream } = this.objects[number - 1]!;
    this.objects[number - 1] = { body: body.replace(/>>$/, `${entries} >>`), stream };
  }

  /** The file with a cross-reference table. `trailer` has /Root and what else is wanted. */
  toBuffer(trailer: string): Buffer {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    return writeXref(parts, this.numbered(), trailer, null);
  }

  /** The file with an update behind it, as an editor saves: what was there before stays in it. */
  toUpdated(trailer: string, changes: (writer: PdfWriter) => void): Buffer {
    const first = this.toBuffer(trailer);
    const before = [...this.objects];
    changes(this);
    const changed = this.numbered().filter(({ at }) => this.objects[at] !== before[at]);
    const previous = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(first.toString('latin1'))?.[1]);
    return writeXref([first], changed, trailer, previous);
  }

  /** The file with all objects that are not streams in object streams (PDF 1.5). */
  toObjectStreams(root: Ref, extra = ''): Buffer {
    const nonStreams = this.numbered().filter(({ stream }) => stream === null);
    const packedObjects = new Map<number, [container: number, index: number]>();
    for (let from = 0; from < nonStreams.length; from += 40) {
      const group = nonStreams.slice(from, from + 40);
      let offset = 0;
      const heads = group.map(({ at, body }) => {
        const head = `${at + 1} ${offset}`;
        offset += body.length + 1;
        return head;
      });
      const head = `${heads.join(' ')} `;
      const text = head + group.map(({ body }) => `${body}\n`).join('');
      const container = this.stream(
        `/Type /ObjStm /N ${group.length} /First ${head.length}`,
        Buffer.from(text, 'latin1'),
      );
      group.forEach(({ at }, index) => {
        packedObjects.set(at + 1, [container, index]);
      });
    }
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let length = parts[0]!.length;
    const xrefNumber = this.objects.length + 1;
    const offsets = new Map<number, number>();
    for (const { at, body, stream } of this.numbered()) {
      if (stream === null) continue;
      const bytes = serialise(at + 1, body, stream);
      offsets.set(at + 1, length);
      length += bytes.length;
      parts.push(bytes);
    }
    offsets.set(xrefNumber, length);
    const rows = Buffer.alloc((xrefNumber + 1) * 7);
    rows.writeUInt16BE(0xffff, 5);
    for (let number = 1; number <= xrefNumber; number += 1) {
      const inside = packedObjects.get(number);
      rows[number * 7] = inside ? 2 : 1;
      rows.writeUInt32BE(inside ? inside[0] : (offsets.get(number) ?? 0), number * 7 + 1);
      rows.writeUInt16BE(inside ? inside[1] : 0, number * 7 + 5);
    }
    const data = deflateSync(rows, { level: 9 });
    const body = `<< /Type /XRef /Size ${xrefNumber + 1} /W [1 4 2] /Root ${ref(root)} ${extra} /Filter /FlateDecode /Length ${data.length} >>`;
    parts.push(serialise(xrefNumber, body, data), Buffer.from(`startxref\n${length}\n%%EOF\n`));
    return Buffer.concat(parts);
  }

  private numbered() {
    return this.objects.map((object, at) => ({ at, ...object }));
  }
}

function serialise(number: number, body: string, stream: Buffer | null): Buffer {
  const head = `${number} 0 obj\n${body}\n`;
  return stream === null
    ? Buffer.from(`${head}endobj\n`, 'latin1')
    : Buffer.concat([
        Buffer.from(`${head}stream\n`, 'latin1'),
        stream,
        Buffer.from('\nendstream\nendobj\n', 'latin1'),
      ]);
}

function writeXref(
  parts: Buffer[],
  objects: readonly { at: number; body: string; stream: Buffer | null }[],
  trailer: string,
  previous: number | null,
): Buffer {
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  let table = previous === null ? '0 1\n0000000000 65535 f \n' : '';
  for (const { at, body, stream } of objects) {
    const bytes = serialise(at + 1, body, stream);
    table += `${at + 1} 1\n${String(length).padStart(10, '0')} 00000 n \n`;
    length += bytes.length;
    parts.push(bytes);
  }
  const size = Math.max(...objects.map(({ at }) => at)) + 2;
  const prev = previous === null ? '' : ` /Prev ${previous}`;
  const totalSize = previous === null ? size : Math.max(size, sizeIn(parts[0]!));
  parts.push(
    Buffer.from(
      `xref\n${table}trailer\n<< /Size ${totalSize} ${trailer}${prev} >>\nstartxref\n${length}\n%%EOF\n`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}

function sizeIn(file: Buffer): number {
  const sizes = [...file.toString('latin1').matchAll(/trailer\s*<< \/Size (\d+)/g)];
  return Number(sizes.at(-1)?.[1] ?? 0);
}

/** A literal string of ASCII or Latin-1. */
export function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`;
}

/** A text string in UTF-16BE with its mark, as hex: how dictionaries say what is not Latin. */
export function utf16(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex').toUpperCase()}>`;
}
