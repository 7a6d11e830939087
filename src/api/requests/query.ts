import { type Fault, maxFaults } from '@scriptorium/contracts/problems';
import type { TObject, TSchema } from 'typebox';
import { compileCheck } from './check/compile.ts';
import { Faults, printable } from './check/faults.ts';
import { isDate } from './check/formats.ts';
import { textFault } from './json.ts';

type ParsedQuery =
  | { query: Record<string, unknown>; faults?: undefined }
  | { query?: undefined; faults: Fault[] };

/** The keywords that determine how the text of a parameter is read. */
interface Parameter {
  type?: string;
  format?: string;
  explode?: boolean;
  items?: Parameter;
  'x-coerced-maximum'?: number;
  'x-ignored'?: readonly string[];
}

/**
 * Compiles a parser of query strings from a schema of flat parameters. It converts numbers,
 * booleans and dates. Lists may be repeated or have commas; other parameters must not be repeated.
 */
export function compileQuery(schema: TObject): (search: string) => ParsedQuery {
  const check = compileCheck(schema);
  const properties = new Map<string, TSchema & Parameter>(Object.entries(schema.properties));
  const knownNames = [...properties.keys()];
  return (search) => {
    const faults: Fault[] = [];
    const raw = readPairs(search, faults);
    const query: Record<string, unknown> = {};
    for (const [name, values] of raw) {
      const parameter = properties.get(name);
      if (!parameter) {
        if (faults.length < maxFaults) faults.push(unknownParameter(name, knownNames));
        continue;
      }
      const read = readParameter(name, parameter, values);
      if ('fault' in read) faults.push(read.fault);
      else if (read.value !== undefined) query[name] = read.value;
    }
    const faultyParameters = new Set(faults.map((fault) => fault.parameter));
    const schemaFaults = new Faults();
    check(query, schemaFaults);
    for (const { pointer, ...fault } of schemaFaults.list) {
      const parameter = pointer?.split('/')[1] ?? '';
      if (!faultyParameters.has(parameter)) faults.push({ parameter, ...fault });
    }
    return faults.length > 0 ? { faults } : { query };
  };
}

function unknownParameter(name: string, knownNames: readonly string[]): Fault {
  const shown = printable(name);
  return {
    parameter: shown,
    code: 'unknown_parameter',
    detail:
      knownNames.length > 0
        ? `Unknown parameter '${shown}'. Expected one of: ${knownNames.join(', ')}.`
        : `Unknown parameter '${shown}'. This operation has no parameters.`,
    allowed: knownNames,
  };
}

/** The values of each parameter, in order. */
function readPairs(search: string, faults: Fault[]): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const part of search.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    try {
      const read = decode(name);
      const values = pairs.get(read);
      if (values) values.push(decode(value));
      else pairs.set(read, [decode(value)]);
    } catch {
      if (faults.length >= maxFaults) break;
      faults.push({
        parameter: printable(name),
        code: 'malformed_parameter',
        detail: 'It contains a percent escape that is not valid UTF-8.',
      });
    }
  }
  return pairs;
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** The value of a parameter; undefined if the text is equivalent to omitting the parameter. */
function readParameter(
  name: string,
  parameter: Parameter,
  values: string[],
): { value: unknown } | { fault: Fault } {
  const fault = (code: string, detail: string): { fault: Fault } => ({
    fault: { parameter: name, code, detail },
  });
  const badText = values.map(textFault).find((found) => found !== null);
  if (badText) return fault(badText.code, badText.detail);
  const { items } = parameter;
  if (parameter.type === 'array' && items) {
    // Without `explode: false`, items may contain commas.
    const texts = parameter.explode === false ? values.flatMap((one) => one.split(',')) : values;
    const read = texts.map((item) => readScalar(items, item));
    const wrong = read.find((item) => 'wrong' in item);
    if (wrong && 'wrong' in wrong) return fault('wrong_type', `It ${wrong.wrong}`);
    const list = read.map((item) => ('value' in item ? item.value : undefined));
    // Duplicates are ignored.
    return { value: [...new Set(list)] };
  }
  if (values.length > 1) return fault('repeated_parameter', 'It must not be repeated.');
  const text = values[0] ?? '';
  if (parameter['x-ignored']?.includes(text.trim())) return { value: undefined };
  const read = readScalar(parameter, text);
  return 'wrong' in read ? fault('wrong_type', `It ${read.wrong}`) : read;
}

function readScalar(parameter: Parameter, text: string): { value: unknown } | { wrong: string } {
  const { type, format, 'x-coerced-maximum': maximum } = parameter;
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
    if (/^(?:true|1)$/i.test(text)) return { value: true };
    if (/^(?:false|0)$/i.test(text)) return { value: false };
    return { wrong: 'must be true or false.' };
  }
  if (format === 'date-time' && isDate(text)) return { value: `${text}T00:00:00Z` };
  return { value: text };
}
