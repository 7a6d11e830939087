import { sources } from '@scriptorium/contracts/documents/sources';
import type { Capabilities } from '@scriptorium/contracts/wire/service';
import type { BodyOf } from '../../api/request.ts';
import { isApplicable, optionsOf } from './schema.ts';

/** An operation to run, with the options that differ from their defaults. */
export type RequestedOperation = NonNullable<BodyOf<'createJob'>['operations']>[number];

/** The work of a job: operations, or a preset. */
export type JobWork = { operations: RequestedOperation[] } | { preset_id: string };

/** The selected operations, each with the options that were changed. */
export type JobDraft = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Returns the operations of a request, in the order of `GET /v1/capabilities`, which is valid
 * (`ocr` comes first). Options with their default value are omitted.
 */
export function operationsOf(draft: JobDraft, capabilities: Capabilities): RequestedOperation[] {
  return capabilities.operations.flatMap((operation) => {
    const changedOptions = draft[operation.op];
    if (!changedOptions) return [];
    const options = Object.fromEntries(
      optionsOf(operation).flatMap(({ name, defaultValue }) => {
        if (!isApplicable({ name }, changedOptions)) return [];
        const value = changedOptions[name];
        const isDefault =
          value === undefined || JSON.stringify(value) === JSON.stringify(defaultValue);
        return isDefault ? [] : [[name, value]];
      }),
    );
    // The form is generated from the schema of the options, which the API validates.
    const requested = { op: operation.op, ...(Object.keys(options).length > 0 ? { options } : {}) };
    return [requested as RequestedOperation];
  });
}

/** Validates a page selection: returns the error, or undefined. */
export function pagesFault(text: string, total: number | null): string | undefined {
  if (text === '') return undefined;
  for (const part of text.split(',')) {
    const match = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part);
    if (!match) {
      return `“${part}” is not a page or a range of pages. Example: 1-3,7`;
    }
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (from > to) return `The range ${part} is reversed. Use ${to}-${from}.`;
    if (total !== null && from > total)
      return `Page ${from} does not exist. The last page is ${total}.`;
  }
  return undefined;
}

/** Whether files of a type have pages. */
export function isPaged(mime: string): boolean {
  return Object.entries(sources).some(([name, { paged }]) => name === mime && paged);
}

/** Returns why an operation cannot process these types; undefined if it can. */
export function unavailableReasonFor(
  operation: Capabilities['operations'][number],
  mimes: readonly string[],
): string | undefined {
  const unsupported = mimes.find((mime) => !operation.sources.includes(mime));
  return unsupported && `Not available for ${unsupported}.`;
}
