import { Ajv, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';

/**
 * Keywords that other code reads: how queries are written, and which values request fields accept.
 */
const ownKeywords = ['explode', 'x-coerced-maximum', 'x-ignored', 'x-text-as-list'];

/** The validator of all schemas. Other code must not create one. */
export function createValidator(options: Options = {}): Ajv {
  const ajv = new Ajv({
    strict: true,
    // A tagged union requires its tag outside of the variants that define it.
    strictRequired: false,
    discriminator: true,
    allErrors: true,
    ...options,
  });
  formats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addVocabulary(ownKeywords);
  return ajv;
}

let shared: Ajv | undefined;
let completing: Ajv | undefined;

/** Compiles a schema to a type guard. */
export function compile<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  shared ??= createValidator();
  return shared.compile<Static<S>>(schema);
}

/** A copy of a valid value in which missing fields have the defaults of its schema. */
export function withDefaults<S extends TSchema>(schema: S, given: Static<S> | object): Static<S> {
  completing ??= createValidator({ useDefaults: true });
  const value = structuredClone(given);
  completing.compile(schema)(value);
  return value as Static<S>;
}

/**
 * A check by a schema, which returns the faults, or null for a valid value. Compiled on first use:
 * a process needs few of the checks that it declares, and starts sooner without the others.
 */
export function checkOf(schema: TSchema): (value: unknown) => string | null {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= compile(schema);
    if (check(value)) return null;
    return (check.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`).join(', ');
  };
}
