import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import { idPrefixes } from '../../contracts/ids.ts';
import { escapePointer, type Fault } from '../../contracts/problems.ts';
import { textFault } from './json.ts';

/** How many faults of one request are told. */
const faultsTold = 100;

const ajv = new Ajv({
  strict: true,
  // A tagged union requires its tag beside the shapes that define it.
  strictRequired: false,
  // Defaults inside a plain `anyOf` are not applied, which is all this would say; the rest throws.
  strictSchema: 'log',
  logger: {
    log: () => undefined,
    warn: (message: string) => {
      if (!message.includes('default is ignored')) throw new Error(message);
    },
    error: (message: string) => {
      throw new Error(message);
    },
  },
  allErrors: true,
  discriminator: true,
  useDefaults: true,
  verbose: true,
});
formats.default(ajv);
ajv.addFormat('date-time', isTime);
ajv.addFormat('binary', true);
ajv.addVocabulary(['explode', 'x-coerced-maximum']);

/**
 * A time with its zone, between the years 1 and 9999. Leap seconds are refused: neither Postgres nor
 * JavaScript keeps them; so are offsets past 14 hours, which no place on earth has.
 */
function isTime(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-4]):[0-5]\d)$/.exec(
      text,
    );
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

/** Checks a body and fills in defaults; answers with what is wrong with it. */
export function compileBody(schema: TSchema): (value: unknown) => Fault[] {
  const check = ajv.compile(schema);
  return (value) => (check(value) ? [] : describe(check.errors ?? []));
}

/** Checks what a handler answers with; for tests. */
export function compileAnswer(schema: TSchema): (value: unknown) => string | null {
  const check = ajv.compile(schema);
  return (value) => (check(value) ? null : ajv.errorsText(check.errors?.slice(0, 5)));
}

type Checked =
  | { query: Record<string, unknown>; faults?: undefined }
  | { query?: undefined; faults: Fault[] };

/**
 * Reads a query string by a schema of flat parameters. Numbers and booleans are read from their
 * text; a parameter that stands twice is a fault unless it is a list.
 */
export function compileQuery(schema: TObject): (search: string) => Checked {
  const check = ajv.compile(schema);
  const properties: Record<string, TSchema> = schema.properties;
  return (search) => {
    const faults: Fault[] = [];
    const raw = new Map<string, string[]>();
    for (const [name, value] of splitQuery(search, faults)) {
      const values = raw.get(name);
      if (values) values.push(value);
      else raw.set(name, [value]);
    }
    const query: Record<string, unknown> = {};
    const known = Object.keys(properties);
    for (const [name, values] of raw) {
      const property = known.includes(name) ? properties[name] : undefined;
      if (!property) {
        if (faults.length >= faultsTold) continue;
        faults.push({
          parameter: name.slice(0, 100),
          code: 'unknown_parameter',
          detail: `'${printable(name)}' is not a parameter of this operation.`,
          allowed: known,
        });
        continue;
      }
      const read = readParameter(name, property, values);
      if ('fault' in read) faults.push(read.fault);
      else query[name] = read.value;
    }
    const faulty = new Set(faults.map((fault) => fault.parameter));
    if (!check(query)) {
      for (const { pointer, ...fault } of describe(check.errors ?? [])) {
        const parameter = pointer?.split('/')[1] ?? '';
        if (!faulty.has(parameter)) faults.push({ parameter, ...fault });
      }
    }
    return faults.length > 0 ? { faults } : { query };
  };
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}

function* splitQuery(search: string, faults: Fault[]): Generator<[string, string]> {
  for (const part of search.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    try {
      const name = decode(at < 0 ? part : part.slice(0, at));
      yield [name, at < 0 ? '' : decode(part.slice(at + 1))];
    } catch {
      faults.push({
        parameter: printable(at < 0 ? part : part.slice(0, at)),
        code: 'malformed_parameter',
        detail: 'It has an escape (%) that is not valid UTF-8.',
      });
      if (faults.length >= faultsTold) return;
    }
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function readParameter(
  name: string,
  schema: TSchema,
  values: string[],
): { value: unknown } | { fault: Fault } {
  const fault = (code: string, detail: string): { fault: Fault } => ({
    fault: { parameter: name, code, detail },
  });
  const bad = values.map(textFault).find((found) => found !== null);
  if (bad) return fault(bad.code, bad.detail);
  const details = schema as { type?: string; explode?: boolean; items?: TSchema };
  const isList = details.type === 'array';
  if (values.length > 1 && (!isList || details.explode === false)) {
    return fault('repeated_parameter', `'${name}' may stand once.`);
  }
  if (isList && details.items) {
    const items = details.explode === false ? values[0]!.split(',') : values;
    const read = items.map((item) => readScalar(details.items!, item));
    const wrong = read.find((item) => 'wrong' in item);
    if (wrong && 'wrong' in wrong) return fault('wrong_type', wrong.wrong);
    return { value: read.map((item) => ('value' in item ? item.value : undefined)) };
  }
  const read = readScalar(schema, values[0]!);
  return 'wrong' in read ? fault('wrong_type', `'${name}' ${read.wrong}`) : read;
}

function readScalar(schema: TSchema, text: string): { value: unknown } | { wrong: string } {
  const { type, 'x-coerced-maximum': maximum } = schema as {
    type?: string;
    'x-coerced-maximum'?: number;
  };
  if (type === 'integer') {
    if (!/^-?\d{1,30}$/.test(text)) return { wrong: 'must be a whole number.' };
    const value = maximum === undefined ? Number(text) : Math.min(Number(text), maximum);
    return Number.isSafeInteger(value) ? { value } : { wrong: 'is out of range.' };
  }
  if (type === 'number') {
    if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return { wrong: 'must be a number.' };
    return { value: Number(text) };
  }
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') return { wrong: 'must be true or false.' };
    return { value: text === 'true' };
  }
  return { value: text };
}

/** Ajv's errors as faults: one for each thing to mend, in words. */
function describe(errors: ErrorObject[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const specific = errors.filter((error) => error.keyword !== 'anyOf' && error.keyword !== 'oneOf');
  const told = (specific.length > 0 ? specific : errors).filter(
    (error, _at, all) => error.keyword !== 'const' || !all.some((other) => isInside(other, error)),
  );
  const wrongTypes = wrongTypesOf(told);
  for (const error of told) {
    const types = error.keyword === 'type' ? wrongTypes.get(error.instancePath) : undefined;
    if (error.keyword === 'type' && types === undefined) continue;
    const fault = types ? wrongType(error.instancePath, types) : describeOne(error);
    const mark = `${fault.pointer} ${fault.code}`;
    if (seen.has(mark)) continue;
    seen.add(mark);
    faults.push(fault);
    if (faults.length >= faultsTold) break;
  }
  return faults;
}

/** Whether a fault lies in what the other is about: `all` or a list, where the list has a fault. */
function isInside(inner: ErrorObject, outer: ErrorObject): boolean {
  return inner.instancePath.startsWith(`${outer.instancePath}/`);
}

/**
 * The values of a wrong type, each with those it may have. Of "this or that", a value that is a this
 * with something wrong about it is told of that, and not that it is no that.
 */
function wrongTypesOf(errors: readonly ErrorObject[]): Map<string, string[]> {
  const types = new Map<string, string[]>();
  const rightTypes = new Set<string>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword === 'type') {
      types.set(instancePath, [...(types.get(instancePath) ?? []), String(params.type)]);
    } else rightTypes.add(instancePath);
    // Whatever a fault lies in is an object or a list as it should be.
    for (let end = instancePath.lastIndexOf('/'); end >= 0; ) {
      const around = instancePath.slice(0, end);
      if (rightTypes.has(around)) break;
      rightTypes.add(around);
      end = around.lastIndexOf('/');
    }
  }
  for (const pointer of rightTypes) types.delete(pointer);
  return types;
}

function wrongType(pointer: string, types: readonly string[]): Fault {
  const known = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  const words = [...new Set(known)].join(' or ');
  return { pointer, code: 'wrong_type', detail: `It must be of type ${words}.` };
}

function describeOne(error: ErrorObject): Fault {
  const { keyword, params, instancePath: pointer } = error;
  const limit: unknown = params.limit;
  const sayLimit = (code: string, detail: string): Fault => ({ pointer, code, detail });
  switch (keyword) {
    case 'required':
    case 'dependentRequired': {
      const name = String(params.missingProperty);
      const at = `${pointer}/${escapePointer(name)}`;
      return { pointer: at, code: 'required', detail: `'${name}' is missing.` };
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty);
      const allowed = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      return {
        pointer: `${pointer}/${escapePointer(name)}`,
        code: 'unknown_field',
        detail: `'${printable(name)}' is not a field here, or cannot be set.`,
        allowed,
      };
    }
    case 'enum':
      return {
        pointer,
        code: 'not_allowed',
        detail: `It must be one of: ${params.allowedValues.join(', ')}.`,
        allowed: params.allowedValues,
      };
    case 'const':
      return {
        pointer,
        code: 'not_allowed',
        detail: `It must be ${params.allowedValue}.`,
        allowed: [params.allowedValue],
      };
    case 'discriminator': {
      const tag = String(params.tag);
      const variants = (error.parentSchema?.oneOf ?? []) as {
        properties: Record<string, { const?: string; enum?: string[] }>;
      }[];
      const allowed = variants.flatMap(({ properties }) => {
        const value = properties[tag];
        return value?.enum ?? (value?.const === undefined ? [] : [value.const]);
      });
      return {
        pointer: `${pointer}/${escapePointer(tag)}`,
        code: params.error === 'tag' ? 'wrong_type' : 'not_allowed',
        detail: `It must be one of: ${allowed.join(', ')}.`,
        allowed,
      };
    }
    case 'minLength':
      return sayLimit('too_short', `It must have at least ${count(limit, 'character')}.`);
    case 'maxLength':
      return sayLimit('too_long', `It must have at most ${count(limit, 'character')}.`);
    case 'minItems':
      return sayLimit('too_few', `It must have at least ${count(limit, 'item')}.`);
    case 'maxItems':
      return sayLimit('too_many', `It must have at most ${count(limit, 'item')}.`);
    case 'minProperties':
      return sayLimit('too_few', `It must have at least ${count(limit, 'field')}.`);
    case 'maxProperties':
      return sayLimit('too_many', `It must have at most ${count(limit, 'field')}.`);
    case 'minimum':
      return sayLimit('too_small', `It must be at least ${limit}.`);
    case 'maximum':
      return sayLimit('too_large', `It must be at most ${limit}.`);
    case 'uniqueItems':
      return { pointer, code: 'duplicate_item', detail: 'It has an item twice.' };
    case 'pattern':
      return describePattern(error);
    case 'format':
      return {
        pointer,
        code: 'wrong_format',
        detail:
          params.format === 'date-time'
            ? 'It must be a time with its zone, such as 2026-01-31T12:00:00Z.'
            : `It must have the format ${params.format}.`,
      };
    default:
      return { pointer, code: 'invalid', detail: `It ${error.message ?? 'is not valid'}.` };
  }
}

function describePattern(error: ErrorObject): Fault {
  const pointer = error.instancePath;
  const pattern = String(error.params.pattern);
  const prefix = Object.values(idPrefixes).find((known) => pattern.startsWith(`^${known}_`));
  if (!prefix) {
    return { pointer, code: 'wrong_format', detail: `It must match the pattern ${pattern}.` };
  }
  return typeof error.data === 'string' && error.data.startsWith(`${prefix}_`)
    ? { pointer, code: 'wrong_format', detail: 'It is not an identifier.' }
    : {
        pointer,
        code: 'id_prefix_mismatch',
        detail: `It must be an identifier that starts with ${prefix}_.`,
      };
}

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}
