import { requestedTypes } from '@scriptorium/contracts/documents/profiles';
import { usualConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import { told } from './find.ts';

const detect = createDetector({
  ...requestedTypes('personal'),
  minConfidence: usualConfidence,
  customPatterns: [],
  allowList: [],
});

/** What the profile `personal` removes from a text, as `TYPE value`. */
export const removed = (text: string, recognised = false): string[] =>
  told(text, detect(text, { recognised }));
