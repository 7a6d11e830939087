/** What a process reports once it has started. */
export const started = 'started';

/**
 * Reports to the process that started this one, if it listens (`script/server` does), what the start
 * is doing.
 */
export function reportStart(step: string): void {
  // A parent that has gone is not told.
  process.send?.({ step }, undefined, undefined, () => undefined);
}

/** The step that a message of such a process names. */
export function readReport(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('step' in message)) return undefined;
  return typeof message.step === 'string' ? message.step : undefined;
}
