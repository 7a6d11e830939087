import { createValidator } from '@scriptorium/contracts/helpers/validator';
import type { Fault } from '@scriptorium/contracts/problems';
import type { TSchema } from 'typebox';
import { compileCheck } from './check/compile.ts';
import { Faults } from './check/faults.ts';
import { isTime } from './check/formats.ts';

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

const ajv = createValidator({
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
ajv.addFormat('date-time', isTime);

/** Compiles a check of response bodies, for tests. */
export function compileAnswer(schema: TSchema): (value: unknown) => string | null {
  const check = ajv.compile(schema);
  return (value) => (check(value) ? null : ajv.errorsText(check.errors?.slice(0, 5)));
}
