import type { RedactableKind } from '../kind.ts';
import { disallowedInPackage, textsOfPackage } from '../package/check.ts';
import { xlsxParts } from './parts.ts';
import { readXlsxStreams } from './xlsx.ts';

/**
 * Elements that an output must not contain. This list is separate from the list of elements that
 * redaction drops, so that a mistake in one of them is detected.
 */
const disallowedElements = new Set(
  `comment commentList externalReference pivotCache pivotTableDefinition queryTable rPh filter
   customFilter legacyDrawing oleObject control fileSharing workbookProtection sheetProtection
   protectedRange scenario customSheetView extLst externalData functionGroup webPublishing
   dataConsolidate sst`.split(/\s+/),
);

export const xlsxKind: RedactableKind = {
  read: readXlsxStreams,
  textsOf: textsOfPackage,
  disallowedIn: (bytes, isProven) =>
    disallowedInPackage(bytes, xlsxParts, disallowedElements, isProven),
};
