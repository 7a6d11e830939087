import { type Box, hasFields, isListOf, isNumber, isRecord, isString } from '../results.ts';

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

/** Reads the words of a page of a PDF or picture with their places, without recognising any. */
export type PageWordsRequest = {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  /** Receives `PageWords` as JSON. */
  outPath: string;
};

/** The words of a page in reading order, in points of the page as displayed. */
export type PageWords = {
  widthPt: number;
  heightPt: number;
  words: { text: string; box: Box; line: number }[];
};

/** Most words of a page: what comes later is left out. */
export const mostPageWords = 20_000;

/** How many words were written. */
export type PageWordsRead = { words: number };

export const isPageWordsRead = (value: unknown): value is PageWordsRead =>
  hasFields(value, { words: isNumber });

export const isPageWords = (value: unknown): value is PageWords =>
  hasFields(value, {
    widthPt: isNumber,
    heightPt: isNumber,
    words: (words) =>
      Array.isArray(words) &&
      words.length <= mostPageWords &&
      isListOf(isRecord({ text: isString, box: isListOf(isNumber, 4), line: isNumber }))(words),
  });
