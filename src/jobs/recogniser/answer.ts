import {
  type EntityType,
  entityNames,
  type FoundType,
  isDrawnType,
} from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from '@scriptorium/pii/finding';

/** The recogniser could not be asked, or its answer is invalid. The message contains no document text. */
export class RecogniserError extends Error {
  override readonly name = 'RecogniserError';
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient = false) {
    super(message);
    this.isTransient = isTransient;
  }
}

/** More findings than any text of one request contains. */
const maxFindings = 10_000;
const typeName = /^[A-Za-z][A-Za-z0-9_ -]{0,63}$/;

/**
 * Reads an answer of Presidio's `/analyze`: a list of `{entity_type, start, end, score}` with offsets
 * in code points.
 * @param text the text that was sent
 * @throws RecogniserError if the answer is malformed
 */
export function readAnswer(
  body: string,
  text: string,
  types: ReadonlyMap<string, EntityType>,
): PiiFinding[] {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new RecogniserError('its response is not valid JSON');
  }
  if (!Array.isArray(answer)) throw new RecogniserError('its response is not a list of findings');
  if (answer.length > maxFindings) {
    throw new RecogniserError(
      `its response has ${answer.length} findings for one text, and the maximum is ${maxFindings}`,
    );
  }
  if (answer.length === 0) return [];
  const units = unitsOfCodePoints(text);
  return answer.map((entry: unknown, at) => readFinding(entry, `finding ${at}`, units, types));
}

function readFinding(
  entry: unknown,
  name: string,
  units: Uint32Array,
  types: ReadonlyMap<string, EntityType>,
): PiiFinding {
  const length = units.length - 1;
  const { entity_type: type, start, end, score } = Object(entry) as Record<string, unknown>;
  if (typeof type !== 'string' || !typeName.test(type)) {
    throw new RecogniserError(`\`entity_type\` of ${name} is not a name of a type`);
  }
  if (!isOffset(start, length) || !isOffset(end, length) || start >= end) {
    throw new RecogniserError(
      `\`start\` and \`end\` of ${name} are not a range in the text, which has ${length} characters`,
    );
  }
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    throw new RecogniserError(`\`score\` of ${name} is not a number from 0 to 1`);
  }
  return { type: typeOf(type, types), start: units[start]!, end: units[end]!, score };
}

const isOffset = (value: unknown, length: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= length;

/** The offset of each code point in UTF-16 units, and the length of the text. */
function unitsOfCodePoints(text: string): Uint32Array {
  const units = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) {
    units[count] = at;
    count += 1;
  }
  units[count] = text.length;
  return units.subarray(0, count + 1);
}

/**
 * The type of a finding: as mapped in the settings, our type of the same name, or a type of its own
 * like that of a client's pattern.
 */
function typeOf(type: string, types: ReadonlyMap<string, EntityType>): FoundType {
  const mapped = types.get(type) ?? entityNames.find((name) => name === type && !isDrawnType(name));
  if (mapped) return mapped;
  return `CUSTOM_${type.toUpperCase().replace(/[ -]/g, '_').slice(0, 40)}`;
}
