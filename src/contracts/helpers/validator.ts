import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';

/** Validates what the registries describe. */
const ajv = new Ajv({ strict: true, allErrors: true, discriminator: true });
formats.default(ajv);

/** Compiles a schema to a type guard. */
export function compile<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  return ajv.compile<Static<S>>(schema);
}
