/**
 * The functions of `numfmt` that are used. The package refers to a declaration file that it does
 * not contain.
 */
declare module 'numfmt' {
  /** Returns the parts of a date and a time that a format shows. */
  export function getFormatDateInfo(pattern: string): {
    year: boolean;
    month: boolean;
    day: boolean;
    hours: boolean;
    minutes: boolean;
    seconds: boolean;
  };
  export function getFormatInfo(pattern: string): {
    type:
      | 'currency'
      | 'date'
      | 'datetime'
      | 'error'
      | 'fraction'
      | 'general'
      | 'grouped'
      | 'number'
      | 'percent'
      | 'scientific'
      | 'text'
      | 'time';
  };
  export function isValidFormat(pattern: string): boolean;
  /**
   * Formats a value in English, unless the pattern names a language. Throws for an invalid pattern.
   */
  export function format(pattern: string, value: number): string;
}
