import type { JobWarning } from '@scriptorium/contracts/jobs';

/** Returns a warning if a file has parts that were not read, by their kinds. */
export function contentNotReadWarnings(kinds: readonly string[]): JobWarning[] {
  if (kinds.length === 0) return [];
  return [
    {
      code: 'content_not_read',
      message: `The file has content that was not read and is not in the outputs: ${kinds.join(', ')}.`,
    },
  ];
}
