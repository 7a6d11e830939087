import type { OperationName, ReviewableOperation } from '@scriptorium/contracts/operations';
import { classifyWork } from './classify/index.ts';
import { normalizeWork } from './normalize-for-llm/index.ts';
import { ocrWork } from './ocr.ts';
import type { OperationWork, ReviewableWork } from './operation.ts';
import { redactPiiWork } from './redact-pii/index.ts';

/** The work of each operation. A missing entry does not compile. */
export const operationWork: {
  [O in OperationName]: OperationWork<O> &
    (O extends ReviewableOperation ? ReviewableWork<O> : unknown);
} = {
  ocr: ocrWork,
  redact_pii: redactPiiWork,
  normalize_for_llm: normalizeWork,
  classify: classifyWork,
};
