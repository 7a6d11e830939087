import { withDefaults } from '@scriptorium/contracts/helpers/validator';
import {
  type OperationName,
  type OperationOptions,
  operations,
} from '@scriptorium/contracts/operations';
import type { Fault } from '@scriptorium/contracts/problems';
import type { OperationList } from '@scriptorium/contracts/wire/operations';
import { checkPattern } from '../../engines/pii/recognisers/custom.ts';

/** The given options of an operation, completed with the defaults of its schema. */
export function completeOptions(
  op: OperationName,
  given: object | undefined,
): Record<string, unknown> {
  return withDefaults(operations[op].options, given ?? {});
}

/** Requested operations with complete options and the place of these in the body. */
export function requestedOperations(list: OperationList) {
  return list.map(({ op, options }, index) => ({
    op,
    options: completeOptions(op, options),
    at: `/operations/${index}/options`,
  }));
}

/**
 * Faults in the complete options of an operation that their schema does not find.
 * @param at their pointer in the body
 */
export function optionFaults(
  op: OperationName,
  options: Readonly<Record<string, unknown>>,
  at: string,
): Fault[] {
  // The options were validated against the operation's schema.
  const checks = extraChecks as {
    [name: string]: ((options: never, at: string) => Fault[]) | undefined;
  };
  return checks[op]?.(options as never, at) ?? [];
}

const extraChecks: {
  [O in OperationName]?: (options: OperationOptions<O>, at: string) => Fault[];
} = {
  redact_pii: ({ custom_patterns: patterns }, at) =>
    patterns.flatMap(({ pattern }, index) => {
      const reason = checkPattern(pattern);
      if (reason === null) return [];
      const pointer = `${at}/custom_patterns/${index}/pattern`;
      return [{ pointer, code: 'invalid_pattern', detail: reason }];
    }),
  normalize_for_llm: ({ chunk_tokens: max, overlap_tokens: overlap }, at) => {
    if (overlap < max) return [];
    const detail = `\`overlap_tokens\` must be less than \`chunk_tokens\`, which is ${max}.`;
    return [{ pointer: `${at}/overlap_tokens`, code: 'too_large', detail }];
  },
};
