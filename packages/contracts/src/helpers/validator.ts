import { Ajv, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';

/**
 * Custom keywords that other code reads: the syntax of queries, and values that are coerced.
 */
const customKeywords = ['explode', 'x-coerced-maximum', 'x-ignored', 'x-text-as-list'];

/** The validator of all schemas. Other code must not create one. */
export function createValidator(options: Options = {}): Ajv {
  const ajv = new Ajv({
    strict: true,
    // A tagged union requires its tag, but only its variants define it.
    strictRequired: false,
    discriminator: true,
    allErrors: true,
    ...options,
  });
  formats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addVocabulary(customKeywords);
  return ajv;
}

let validator: Ajv | undefined;
let defaultsValidator: Ajv | undefined;

/** Compiles a schema to a type guard. */
export function compile<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  validator ??= createValidator();
  return validator.compile<Static<S>>(schema);
}

/** Returns a copy of a valid value in which missing fields have the defaults of its schema. */
export function withDefaults<S extends TSchema>(schema: S, input: Static<S> | object): Static<S> {
  defaultsValidator ??= createValidator({ useDefaults: true });
  const value = structuredClone(input);
  defaultsValidator.compile(schema)(value);
  return value as Static<S>;
}

/**
 * Creates a check that returns the faults of a value under a schema, or null if it is valid. The
 * schema is compiled on first use, because a process uses few of the checks that it declares.
 */
export function createCheck(schema: TSchema): (value: unknown) => string | null {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= compile(schema);
    if (check(value)) return null;
    return (check.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`).join(', ');
  };
}
