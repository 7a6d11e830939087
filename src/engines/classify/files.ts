import { readFile, stat } from 'node:fs/promises';
import { type SourceMime, sources, type UnpagedKind } from '../../contracts/sources.ts';
import { EngineError } from '../errors.ts';
import type { Kind } from '../redact/kinds/index.ts';

const kinds: Record<UnpagedKind, () => Promise<Kind>> = {
  text: async () => (await import('../redact/kinds/plain/kinds.ts')).textKind,
  csv: async () => (await import('../redact/kinds/plain/kinds.ts')).csvKind,
  markdown: async () => (await import('../redact/kinds/plain/kinds.ts')).markdownKind,
  html: async () => (await import('../redact/kinds/html/kind.ts')).htmlKind,
  docx: async () => (await import('../redact/kinds/docx/kind.ts')).docxKind,
  xlsx: async () => (await import('../redact/kinds/xlsx/kind.ts')).xlsxKind,
};

const maxBytes = 100 * 2 ** 20;

/** What people see of a file without pages, line by line. Throws EngineError. */
export async function textOfFile(path: string, mime: string): Promise<string> {
  const known = Object.keys(sources).find((name): name is SourceMime => name === mime);
  const name = known && sources[known].kind;
  if (!name || name === 'pdf' || name === 'image') {
    throw new EngineError('unsupported', `A file of type ${mime} cannot be classified as a whole.`);
  }
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (size > maxBytes) throw new EngineError('too_large', 'The file is larger than 100 MiB.');
  const kind = await kinds[name]();
  return kind.textsOf(await readFile(path)).shown.join('\n');
}
