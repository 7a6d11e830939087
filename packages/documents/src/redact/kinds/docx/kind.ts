import type { RedactableKind } from '../kind.ts';
import { disallowedInPackage, textsOfPackage } from '../package/check.ts';
import { readDocxStreams } from './docx.ts';
import { docxParts } from './parts.ts';

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction drops, so that a mistake in one of them is detected.
 */
const disallowedElements = new Set(
  `del ins moveFrom moveTo delText delInstrText commentReference commentRangeStart comment object
   OLEObject control altChunk subDoc customXml smartTag dataBinding docVars mailMerge rsids rPrChange
   pPrChange sectPrChange tblPrChange extLst embedRegular externalData permStart attachedTemplate`.split(
    /\s+/,
  ),
);

export const docxKind: RedactableKind = {
  read: readDocxStreams,
  textsOf: textsOfPackage,
  disallowedIn: (bytes, isProven) =>
    disallowedInPackage(bytes, docxParts, disallowedElements, isProven),
};
