/** The used part of `numfmt`: its package refers to a declaration file that it does not contain. */
declare module 'numfmt' {
  /** Which parts of a date and a time a format shows. */
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
  /** In English, unless the pattern names a language. Throws for an invalid pattern. */
  export function format(pattern: string, value: number): string;
}
