/** The last step, which a process reports once it has started. */
export const startedStep = 'started';

/**
 * Reports the progress of startup to the parent process, if any (such as `script/server`).
 */
export function reportStart(step: string): void {
  // Errors are ignored: the parent may have exited.
  process.send?.({ step }, undefined, undefined, () => undefined);
}

/** Returns the step in a message of `reportStart`; undefined for other messages. */
export function readStartReport(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('step' in message)) return undefined;
  return typeof message.step === 'string' ? message.step : undefined;
}
