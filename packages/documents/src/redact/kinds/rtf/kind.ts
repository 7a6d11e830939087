import type { RedactableKind } from '../kind.ts';
import { readOutput } from './output.ts';
import { readRtfStreams } from './rtf.ts';

export const rtfKind: RedactableKind = {
  read: readRtfStreams,
  // A word may consist of several runs.
  textsOf: (bytes) => {
    const { runs } = readOutput(bytes);
    return { shown: [runs.join(''), runs.join('\n')], hidden: [] };
  },
  disallowedIn: (bytes) => [...new Set(readOutput(bytes).unexpected)],
};
