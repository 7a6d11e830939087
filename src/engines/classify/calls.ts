import { type DocumentLabel, documentLabelNames } from '../../contracts/documents/labels.ts';
import { hasFields, isListOf, isNumber, isOneOf, isString } from '../results.ts';

/** A recognised page; `pageFile` holds its `PageResult` as JSON. */
export type ClassifyPageRequest = { pageFile: string };

/** A file without pages. */
export type ClassifyFileRequest = { path: string; mime: string };

/** The confidence that a document is of a kind: 0 to 1, with a sum of 1. */
export type LabelScore = { label: DocumentLabel; score: number };

/** Evidence for the first label: one of our names and its weight, never text of the document. */
export type Signal = { name: string; weight: number };

/** The classification of a page or document. */
export type Classified = {
  /** All kinds, the likeliest first. */
  labels: readonly LabelScore[];
  /** The strongest first, five at most. */
  signals: readonly Signal[];
};

/** A page, and the number of words it was classified by. */
export type ClassifiedPage = Classified & { words: number };

const classifiedFields = {
  labels: isListOf(
    (label) => hasFields(label, { label: isOneOf(...documentLabelNames), score: isNumber }),
    documentLabelNames.length,
  ),
  signals: isListOf((signal) => hasFields(signal, { name: isString, weight: isNumber })),
};

export function isClassified(value: unknown): value is Classified {
  return hasFields(value, classifiedFields);
}

export function isClassifiedPage(value: unknown): value is ClassifiedPage {
  return hasFields(value, { ...classifiedFields, words: isNumber });
}
