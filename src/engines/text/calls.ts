import { hasFields, isNumber, isString } from '../results.ts';

/** Reads the text that a file holds, without recognising any. */
export type OwnTextRequest = {
  path: string;
  mime: string;
  /** Receives a line of JSON for each page with text: its number and its text. */
  outPath: string;
};

/** What was found: all pages, with or without text. */
export type OwnText = { pages: number };

export const isOwnText = (value: unknown): value is OwnText =>
  hasFields(value, { pages: isNumber });

/** A page with the text that the file holds for it. */
export type PageText = { page: number; text: string };

export const isPageText = (value: unknown): value is PageText =>
  hasFields(value, { page: isNumber, text: isString });
