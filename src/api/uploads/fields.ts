import { escapePointer, type Fault, Problem } from '@scriptorium/contracts/problems';
import { checkMetadata, cleanTags } from '../../library/details.ts';
import { readJson, textFault } from '../requests/json.ts';
import { decodeUtf8 } from './header-values.ts';

/** A raw field of an upload other than its file. */
export type FormField = [name: string, value: Buffer];

interface UploadFields {
  tags: string[];
  metadata: Record<string, unknown>;
  faults: Fault[];
}

/** The names of all fields of a form. */
const formFieldNames = ['file', 'tags', 'metadata'] as const;

/** Reads the fields of a form and reports all faults. */
export function readFields(fields: readonly FormField[]): UploadFields {
  const faults: Fault[] = [];
  const tags: string[] = [];
  let metadata: Record<string, unknown> | undefined;
  for (const [name, value] of fields) {
    if (name === 'tags') tags.push(...readTags(value, faults));
    else if (name === 'metadata') {
      if (metadata !== undefined) {
        const detail = 'It must not be repeated.';
        faults.push({ pointer: '/metadata', code: 'duplicate_field', detail });
      } else metadata = readMetadata(value, faults);
    } else faults.push(unknownField(name));
  }
  const cleaned = cleanTags(tags);
  faults.push(...cleaned.faults);
  if (metadata) faults.push(...checkMetadata(metadata));
  return { tags: cleaned.tags, metadata: metadata ?? {}, faults };
}

function unknownField(name: string): Fault {
  const shown = name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
  return {
    pointer: `/${escapePointer(shown)}`,
    code: 'unknown_field',
    detail: `Unknown field '${shown}'. Expected one of: ${formFieldNames.join(', ')}.`,
    allowed: formFieldNames,
  };
}

/** Reads one tag, or a JSON array of tags if the value starts with a bracket. */
function readTags(value: Buffer, faults: Fault[]): string[] {
  const pointer = '/tags';
  const text = decodeUtf8(value);
  if (text === null) {
    faults.push({ pointer, code: 'invalid_utf8', detail: 'It must be valid UTF-8.' });
    return [];
  }
  if (text.trimStart().startsWith('[')) {
    const list = readJsonField(value, pointer, faults);
    if (list === undefined) return [];
    if (Array.isArray(list) && list.every((tag) => typeof tag === 'string')) return list;
    const detail = 'It must be a JSON array of strings, since it starts with `[`.';
    faults.push({ pointer, code: 'wrong_type', detail });
    return [];
  }
  const fault = textFault(text);
  if (fault) faults.push({ pointer, ...fault });
  return fault ? [] : [text];
}

function readMetadata(value: Buffer, faults: Fault[]): Record<string, unknown> {
  const metadata = readJsonField(value, '/metadata', faults);
  if (metadata === undefined) return {};
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
    return { ...metadata };
  }
  const detail = 'It must be a JSON object.';
  faults.push({ pointer: '/metadata', code: 'wrong_type', detail });
  return {};
}

/** A JSON field, with the rules of JSON bodies; undefined after a fault. */
function readJsonField(value: Buffer, pointer: string, faults: Fault[]): unknown {
  try {
    const read = readJson(value);
    const jsonFaults = read.faults.list;
    faults.push(...jsonFaults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer })));
    return jsonFaults.length > 0 ? undefined : read.value;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const detail = error.message.replace(/^The body/, 'It');
    faults.push({ pointer, code: error.errors?.[0]?.code ?? error.code, detail });
    return undefined;
  }
}
