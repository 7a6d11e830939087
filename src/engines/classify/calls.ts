/** A recognised page; `pageFile` holds its `PageResult` as JSON. */
export type ClassifyPageRequest = { pageFile: string };

/** A file without pages. */
export type ClassifyFileRequest = { path: string; mime: string };

/** How sure the classifier is that a document is of a kind: 0 to 1, together 1. */
export type LabelScore = { label: string; score: number };

/** What spoke for the first label: a name of ours and how much it weighed, never text of the document. */
export type Signal = { name: string; weight: number };

/** What a page or a document is taken for. */
export type Classified = {
  /** All kinds there are, the likeliest first. */
  labels: readonly LabelScore[];
  signals: readonly Signal[];
};
