import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';

let ajv: Ajv | undefined;

/** Validates what the registries describe. */
function validator(): Ajv {
  if (!ajv) {
    ajv = new Ajv({ strict: true, allErrors: true, discriminator: true });
    formats.default(ajv);
  }
  return ajv;
}

/** Compiles a schema to a type guard. */
export function compile<S extends TSchema>(schema: S): ValidateFunction<Static<S>> {
  return validator().compile<Static<S>>(schema);
}

/**
 * A check by a schema, which returns the faults, or null for a valid value. Compiled at its first
 * use: a process needs few of those that it declares, and starts sooner without the others.
 */
export function checkOf(schema: TSchema): (value: unknown) => string | null {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= compile(schema);
    if (check(value)) return null;
    return (check.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`).join(', ');
  };
}
