import { documentLabelNames } from '@scriptorium/contracts/documents/labels';
import {
  type Checked,
  isListOf,
  isNumber,
  isOneOf,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { defineTask } from '@scriptorium/sandbox/children/define-task';

/** The probability that a document is of a kind, 0 to 1. The scores of all kinds add up to 1. */
const isLabelScore = isRecord({ label: isOneOf(...documentLabelNames), score: isNumber });
export type LabelScore = Checked<typeof isLabelScore>;

/**
 * Evidence for the first label: the name of a feature and its weight, never text of the document.
 */
const isSignal = isRecord({ name: isString, weight: isNumber });
export type Signal = Checked<typeof isSignal>;

const classificationFields = {
  /** All kinds, the most likely first. */
  labels: isListOf(isLabelScore, documentLabelNames.length),
  /** The strongest signals first; five at most. */
  signals: isListOf(isSignal),
};

/** The classification of a page or document. */
const isClassification = isRecord(classificationFields);
export type Classification = Checked<typeof isClassification>;

/** The classification of a page, and the number of its words. */
export const isPageClassification = isRecord({ ...classificationFields, words: isNumber });
export type PageClassification = Checked<typeof isPageClassification>;

/** A request to classify a recognised page; `pageFile` contains its `PageResult` as JSON. */
const isClassifyPageRequest = isRecord({ pageFile: isString });
export type ClassifyPageRequest = Checked<typeof isClassifyPageRequest>;

/** A request to classify a file without pages. */
const isClassifyFileRequest = isRecord({ path: isString, mime: isString });
export type ClassifyFileRequest = Checked<typeof isClassifyFileRequest>;

export const classificationTasks = {
  /** Classifies a page by its text and layout. */
  classifyPage: defineTask({
    request: isClassifyPageRequest,
    answer: isPageClassification,
    files: ({ pageFile }) => ({ reads: [pageFile] }),
  }),
  /** Classifies a file without pages. */
  classifyFile: defineTask({
    request: isClassifyFileRequest,
    answer: isClassification,
    files: ({ path }) => ({ reads: [path] }),
  }),
};
