import { type DocumentLabel, documentLabelNames } from '../../contracts/labels.ts';
import { hasFields, isListOf, isNumber, isOneOf, isString } from '../results.ts';

/** A recognised page; `pageFile` holds its `PageResult` as JSON. */
export type ClassifyPageRequest = { pageFile: string };

/** A file without pages. */
export type ClassifyFileRequest = { path: string; mime: string };

/** How sure the classifier is that a document is of a kind: 0 to 1, together 1. */
export type LabelScore = { label: DocumentLabel; score: number };

/** What spoke for the first label: a name of ours and how much it weighed, never text of the document. */
export type Signal = { name: string; weight: number };

/** What a page or a document is taken for. */
export type Classified = {
  /** All kinds there are, the likeliest first. */
  labels: readonly LabelScore[];
  /** The strongest first, five at most. */
  signals: readonly Signal[];
};

/** A page, and how many words there were to tell by. */
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
