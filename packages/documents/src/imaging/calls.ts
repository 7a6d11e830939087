import { stripFields } from '@scriptorium/contracts/variants';
import { type Checked, isNumber, isOneOf, isRecord, isString } from '@scriptorium/sandbox/checks';
import { defineTask } from '@scriptorium/sandbox/children/define-task';
import { isReading, type PictureReading, type RenditionFiles } from './results.ts';

const pictureFields = { path: isString, mime: isString };

const isReadRequest = isRecord({
  ...pictureFields,
  files: (files): files is RenditionFiles =>
    typeof files === 'object' && Object.values(files ?? {}).every(isString),
});
export type ReadRequest = Checked<typeof isReadRequest>;

const isReadingOf = (value: unknown, { files }: ReadRequest): value is PictureReading =>
  isReading(value, files);

const isStripRequest = isRecord({
  ...pictureFields,
  fields: isOneOf(...stripFields),
  outPath: isString,
});
export type StripRequest = Checked<typeof isStripRequest>;

const isStripped = isRecord({ bytes: isNumber });
export type StrippedPicture = Checked<typeof isStripped>;

export const imagingTasks = {
  /** Reads a picture and writes its renditions to `files`. The result lists the renditions. */
  read: defineTask({
    request: isReadRequest,
    answer: isReadingOf,
    files: ({ path, files }) => ({ reads: [path], writes: Object.values(files) }),
  }),
  /** Writes the picture without the given metadata to `outPath`. Its pixels do not change. */
  stripMetadata: defineTask({
    request: isStripRequest,
    answer: isStripped,
    files: ({ path, outPath }) => ({ reads: [path], writes: [outPath] }),
  }),
};
