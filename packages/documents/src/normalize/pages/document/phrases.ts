import { readLists } from '../../../tsv.ts';

const lists = readLists(new URL('./phrases.tsv', import.meta.url));

/** Returns a group of a regular expression that matches any phrase of a list. */
export const anyOf = (list: string): string => `(?:${(lists.get(list) ?? []).join('|')})`;
