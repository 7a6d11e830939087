/** An invalid option. The message names the option, the requirement and the value. */
export class OptionError extends Error {}

/**
 * Reads a whole number of at least `min`.
 * @param name how the option is written, such as `--files`
 * @throws OptionError
 */
export function readInteger(name: string, text: string, min = 1): number {
  const value = parse(text);
  if (Number.isSafeInteger(value) && value >= min) return value;
  const requirement = min === 1 ? 'a positive whole number' : `a whole number of at least ${min}`;
  throw new OptionError(`${name} must be ${requirement}, not '${text}'.`);
}

/**
 * Reads a number of at least 0.
 * @param name how the option is written, such as `--hours`
 * @throws OptionError
 */
export function readNumber(name: string, text: string): number {
  const value = parse(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new OptionError(`${name} must be a number of at least 0, not '${text}'.`);
}

/**
 * Reads a whole number of at least `min` from an environment variable.
 * @throws OptionError
 */
export function integerFromEnv(name: string, defaultValue: number, min = 1): number {
  const text = process.env[name];
  return text === undefined ? defaultValue : readInteger(name, text, min);
}

/**
 * Reads a number of at least 0 from an environment variable.
 * @throws OptionError
 */
export function numberFromEnv(name: string, defaultValue: number): number {
  const text = process.env[name];
  return text === undefined ? defaultValue : readNumber(name, text);
}

/** Unlike `Number`, returns NaN for an empty text. */
const parse = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
