import { requestedTypes } from '@scriptorium/contracts/documents/profiles';
import { defaultConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import { told } from './find.ts';

const detect = createDetector({
  ...requestedTypes('personal'),
  minConfidence: defaultConfidence,
  customPatterns: [],
  allowList: [],
});

/** What the profile `personal` removes from a text, as `TYPE value`. */
export const removed = (text: string, recognised = false): string[] =>
  told(text, detect(text, { recognised }));
