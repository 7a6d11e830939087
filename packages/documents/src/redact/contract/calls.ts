import { drawnTypes, entityNames } from '@scriptorium/contracts/documents/entities';
import { type Narrowing, narrowings } from '@scriptorium/contracts/documents/profiles';
import type { DetectorOptions } from '@scriptorium/pii/finding';
import {
  type Check,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { defineTask, filesOfSource } from '@scriptorium/sandbox/children/define-task';
import { isModels } from '../../text/calls.ts';
import { isEmbeddedRedaction, isExtraction } from './embedded.ts';
import {
  areFoundInName,
  isChecks,
  isFoundInKind,
  isLaidOut,
  isPagePlan,
  isRedactedInKind,
  isRemovalReport,
  isSettleResult,
  isSpreadResult,
  isTextInKind,
} from './guards.ts';

const isNarrowing: Check<Narrowing> = (value): value is Narrowing =>
  isString(value) && Object.hasOwn(narrowings, value);

const isDetectorOptions: Check<DetectorOptions> = isRecord({
  entities: (value): value is DetectorOptions['entities'] =>
    value === 'all' || isListOf(isOneOf(...entityNames))(value),
  narrowed: isOptional(isListOf(isNarrowing)),
  minConfidence: isNumber,
  customPatterns: isListOf(
    isRecord({ name: isString, pattern: isString, case_sensitive: isBoolean }),
  ),
  allowList: isListOf(isString),
});

const sourceFields = { path: isString, mime: isString };
const isStyle = isOneOf('blackbox', 'label');
const isBoxExtent = isOptional(isOneOf('tight', 'padded', 'to_edge'));
const planFileFields = { plansFile: isString, outPath: isString };
const filesOfPlans = (request: { plansFile: string; outPath: string }) => ({
  reads: [request.plansFile],
  writes: [request.outPath],
});
const checkFields = { ...sourceFields, reportFile: isString };

const isFindRequest = isRecord({
  ...sourceFields,
  page: isNumber,
  pageFile: isString,
  languages: isListOf(isString),
  isReread: isBoolean,
  options: isDetectorOptions,
  keep: isOptional(isListOf(isOneOf(...drawnTypes))),
  models: isModels,
});
const isSpreadRequest = isRecord({ ...planFileFields, allowList: isOptional(isListOf(isString)) });
const isSettleRequest = isRecord(planFileFields);
const isLayOutRequest = isRecord({
  ...sourceFields,
  plansFile: isString,
  box: isBoxExtent,
  workPath: isString,
});
const isRedactRequest = isRecord({
  ...sourceFields,
  ...planFileFields,
  style: isStyle,
  box: isBoxExtent,
});
const isCheckFileRequest = isRecord(checkFields);
const isCheckPageRequest = isRecord({ ...checkFields, outputPage: isNumber, models: isModels });
const isDigestRequest = isRecord({ path: isString });
const areDigests = isListOf(isString);
const isExternal = isOptional(isRecord({ placesFile: isString, digest: isString }));
const isDecided = isOptional(isRecord({ decisionsFile: isString, digest: isString }));
const isRedactInKindRequest = isRecord({
  ...sourceFields,
  options: isDetectorOptions,
  keepRecipients: isOptional(isBoolean),
  style: isStyle,
  outPath: isString,
  external: isExternal,
  decided: isDecided,
  embedded: isOptional(isListOf(isEmbeddedRedaction)),
  embeddedPlans: isOptional(isString),
});
const isExtractEmbeddedRequest = isRecord({
  ...sourceFields,
  options: isDetectorOptions,
  keepRecipients: isOptional(isBoolean),
  external: isExternal,
  decided: isDecided,
  filesPath: isString,
  textPlan: isString,
});
const isFindInKindRequest = isRecord({
  ...sourceFields,
  options: isDetectorOptions,
  keepRecipients: isOptional(isBoolean),
  external: isExternal,
  textFile: isString,
  findingsFile: isString,
  embeddedPlans: isOptional(isString),
});

const isReadInKindRequest = isRecord({ ...sourceFields, textFile: isString });
const isFindInNameRequest = isRecord({ name: isString, options: isDetectorOptions });
/** Returns the paths that are set. */
const pathsOf = (...paths: (string | undefined)[]): string[] =>
  paths.filter((path) => path !== undefined);

export const redactionTasks = {
  /** Adds the values found on other pages to the plan of each page. */
  spreadValues: defineTask({
    request: isSpreadRequest,
    answer: isSpreadResult,
    files: (request) => filesOfPlans(request),
  }),
  /** Prepares plans in which a person decided the removals. */
  settlePlans: defineTask({
    request: isSettleRequest,
    answer: isSettleResult,
    files: filesOfPlans,
  }),
  /** Computes the boxes that `redactPages` would paint. */
  layOutPages: defineTask({
    request: isLayOutRequest,
    answer: isLaidOut,
    files: ({ path, plansFile, workPath }) => ({ reads: [path, plansFile], writes: [workPath] }),
  }),
  /** Writes the planned pages to a new file, without the content that must be removed. */
  redactPages: defineTask({
    request: isRedactRequest,
    answer: isRemovalReport,
    files: ({ path, plansFile, outPath }) => ({ reads: [path, plansFile], writes: [outPath] }),
  }),
  /** Checks a redacted file as a whole. */
  checkFile: defineTask({
    request: isCheckFileRequest,
    answer: isChecks,
    files: ({ path, reportFile }) => ({ reads: [path, reportFile] }),
  }),
  /**
   * Returns a digest for each page of a PDF. Digests are equal for pages that are drawn and read
   * alike. Empty if the file is damaged.
   */
  digestPages: defineTask({
    request: isDigestRequest,
    answer: areDigests,
    files: ({ path }) => ({ reads: [path] }),
  }),
  /** Redacts a file without pages in its own format, and checks the output. */
  redactInKind: defineTask({
    request: isRedactInKindRequest,
    answer: isRedactedInKind,
    files: ({ path, outPath, decided, external, embedded = [], embeddedPlans }) => ({
      reads: [
        path,
        ...pathsOf(external?.placesFile, decided?.decisionsFile, embeddedPlans),
        ...embedded.map((file) => file.path),
      ],
      writes: [outPath],
    }),
  }),
  /** Extracts the files inside a file, to be redacted on their own, and the values of its text. */
  extractEmbedded: defineTask({
    request: isExtractEmbeddedRequest,
    answer: isExtraction,
    files: ({ path, decided, external, filesPath, textPlan }) => ({
      reads: [path, ...pathsOf(external?.placesFile, decided?.decisionsFile)],
      writes: [filesPath, textPlan],
    }),
  }),
  /** Finds the content that `redactInKind` would remove from a file, for review by people. */
  findInKind: defineTask({
    request: isFindInKindRequest,
    answer: isFoundInKind,
    files: ({ path, textFile, findingsFile, external, embeddedPlans }) => ({
      reads: [path, ...pathsOf(external?.placesFile, embeddedPlans)],
      writes: [textFile, findingsFile],
    }),
  }),
  /** Reads the text in which `findInKind` finds content. */
  readInKind: defineTask({
    request: isReadInKindRequest,
    answer: isTextInKind,
    files: ({ path, textFile }) => ({ reads: [path], writes: [textFile] }),
  }),
  /** Finds personal data in the name of a file. */
  findInName: defineTask({
    request: isFindInNameRequest,
    answer: areFoundInName,
    files: () => ({}),
  }),
};

/** Redaction tasks that recognise text. */
export const recognisingTasks = {
  /** Finds the content that must be removed from a page. */
  findPage: defineTask({
    request: isFindRequest,
    answer: isPagePlan,
    files: (request) => filesOfSource(request, request.pageFile),
  }),
  /** Checks one page of a redacted file, independently of the code that redacted it. */
  checkPage: defineTask({
    request: isCheckPageRequest,
    answer: isChecks,
    files: (request) => filesOfSource(request, request.reportFile),
  }),
};
