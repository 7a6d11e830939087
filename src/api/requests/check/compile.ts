/**
 * Validates client data with ajv, against the schemas from which types and OpenAPI are derived.
 * `prepare` limits the part that is checked, and `explain` converts errors to the documented form:
 * each fault once, with the pointer of the value to change.
 */

import { createValidator } from '@scriptorium/contracts/helpers/validator';
import type { Fault } from '@scriptorium/contracts/problems';
import type {
  AnySchemaObject,
  ErrorObject,
  FuncKeywordDefinition,
  SchemaValidateFunction,
  ValidateFunction,
} from 'ajv';
import type { TSchema } from 'typebox';
import { explain } from './explain.ts';
import { Faults } from './faults.ts';
import { isTime } from './formats.ts';
import { prepare } from './prepare.ts';
import { isRecord } from './schema.ts';

const ajv = createValidator({
  strictTypes: false,
  useDefaults: true,
  verbose: true,
  messages: false,
  // Schemas are built with typebox; `prepare` rejects keywords that it does not know.
  meta: false,
  validateSchema: false,
  // Halves the time to compile a schema without slowing checks.
  code: { optimize: false },
});
ajv.addFormat('date-time', isTime);
ajv.addVocabulary(['x-or']);
ajv.removeKeyword('x-text-as-list');

/** Replaces text that represents a list with the list. */
ajv.addKeyword({
  keyword: 'x-text-as-list',
  before: 'allOf',
  modifying: true,
  errors: false,
  validate: (mode: string, text: unknown, _?: AnySchemaObject, parent?: ParentData) => {
    if (parent && typeof text === 'string') {
      parent.parentData[parent.parentDataProperty] =
        mode === 'commas' ? [...new Set(text.split(','))] : [text];
    }
    return true;
  },
} satisfies FuncKeywordDefinition);

type ParentData = Parameters<SchemaValidateFunction>[3];

/** Like `uniqueItems`, in one pass, with a fault for each repeated item. */
const isUnique: SchemaValidateFunction = (isEnabled: boolean, items: unknown[], _, parent) => {
  if (!isEnabled) return true;
  const firstIndexes = new Map<unknown, number>();
  isUnique.errors = items.flatMap((item, index) => {
    const first = firstIndexes.get(item);
    if (first === undefined) firstIndexes.set(item, index);
    const instancePath = `${parent?.instancePath}/${index}`;
    return first === undefined ? [] : [{ keyword: 'x-unique', instancePath, params: { first } }];
  });
  return isUnique.errors.length === 0;
};
ajv.addKeyword({ keyword: 'x-unique', type: 'array', errors: true, validate: isUnique });

/** Checks a value, fills in defaults, and adds faults. */
export type Check = (value: unknown, faults: Faults) => void;

/**
 * Creates a check against a schema. It is compiled on first use, which takes up to 50 ms.
 * @throws Error for an unknown keyword
 */
export function compileCheck(schema: TSchema): Check {
  const prepared = prepare(schema);
  let validate: ValidateFunction | undefined;
  return function check(value, faults) {
    validate ??= ajv.compile(prepared);
    if (validate(value)) return;
    const errors = validate.errors ?? [];
    // The errors contain the value, which must not be retained.
    validate.errors = null;
    explain(errors, faults);
    // The body is rejected in any case. Checking again finds the faults within the limits.
    if (errors.filter(truncateToLimit).length > 0) check(value, faults);
  };
}

/** Truncates a list or object that is too large. Returns false for any other error. */
function truncateToLimit({ keyword, params, data }: ErrorObject): boolean {
  if (keyword === 'maxItems' && Array.isArray(data)) data.length = params.limit;
  else if (keyword === 'maxProperties' && isRecord(data)) {
    for (const name of Object.keys(data).slice(params.limit)) delete data[name];
  } else return false;
  return true;
}

/**
 * Compiles a check of bodies, which fills in defaults and returns the faults, including those
 * already found.
 */
export function compileBody(schema: TSchema): (value: unknown, found?: Faults) => Fault[] {
  const check = compileCheck(schema);
  return (value, found = new Faults()) => {
    check(value, found);
    return found.list;
  };
}

const responseAjv = createValidator({
  allErrors: false,
  // The only expected warning is about defaults inside `anyOf`, which are not applied. Others
  // throw.
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
});
responseAjv.addFormat('date-time', isTime);

/** Compiles a check of response bodies, for tests. */
export function compileResponse(schema: TSchema): (value: unknown) => string | null {
  const check = responseAjv.compile(schema);
  return (value) => (check(value) ? null : responseAjv.errorsText(check.errors?.slice(0, 5)));
}
