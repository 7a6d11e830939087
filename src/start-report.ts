/** The report of a process once it has started. */
export const started = 'started';

/**
 * Reports the progress of the start to the parent process, if it listens (`script/server` does).
 */
export function reportStart(step: string): void {
  // A parent that has exited gets no report.
  process.send?.({ step }, undefined, undefined, () => undefined);
}

/** The step in a message from such a process. */
export function readReport(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('step' in message)) return undefined;
  return typeof message.step === 'string' ? message.step : undefined;
}
