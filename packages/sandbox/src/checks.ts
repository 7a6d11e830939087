/*
 * Checks of data from outside, such as the answers of children. Written by hand, because children
 * load this module, and loading a schema library would take a third of their start-up time.
 */

/** Returns whether a value is a `T`. */
export type Check<T> = (value: unknown) => value is T;

/** The type that a check guards; unknown if the check is not a type guard. */
export type Checked<C> = C extends (value: unknown) => value is infer T ? T : unknown;

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

/** An object with these fields. Fields that may be undefined may also be missing. */
type RecordOf<F> = Flat<
  {
    [Name in keyof F as undefined extends Checked<F[Name]> ? never : Name]: Checked<F[Name]>;
  } & {
    [Name in keyof F as undefined extends Checked<F[Name]> ? Name : never]?: Checked<F[Name]>;
  }
>;
type Flat<T> = { [Name in keyof T]: T[Name] };

/** Whether a value is an object with all fields, each of which passes its check. */
export function hasFields(value: unknown, fields: Fields): value is object {
  if (typeof value !== 'object' || value === null) return false;
  for (const name in fields) if (!fields[name]?.(Reflect.get(value, name))) return false;
  return true;
}

export const isNumber = (value: unknown): value is number => Number.isFinite(value);
export const isString = (value: unknown): value is string => typeof value === 'string';
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

export const isOneOf =
  <const T extends readonly unknown[]>(...allowed: T): Check<T[number]> =>
  (value): value is T[number] =>
    allowed.includes(value);

/** Creates a check of objects that have these fields. Other fields are permitted. */
export const isRecord =
  <F extends Fields>(fields: F): Check<RecordOf<F>> =>
  (value): value is RecordOf<F> =>
    hasFields(value, fields);

/**
 * Creates a check of lists whose items pass `check`, with exactly `length` items if it is given.
 */
export function isListOf<T>(check: Check<T>, length?: number): Check<readonly T[]>;
export function isListOf(check: (value: unknown) => boolean, length?: number): Check<unknown[]>;
export function isListOf(check: (value: unknown) => boolean, length?: number) {
  return (value: unknown): value is unknown[] =>
    Array.isArray(value) && (length === undefined || value.length === length) && value.every(check);
}

export const isOptional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined || check(value);

export const isNullOr =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null || check(value);
