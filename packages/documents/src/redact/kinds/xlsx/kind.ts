import type { RedactableKind } from '../kind.ts';
import { strangersInPackage, textsOfPackage } from '../package/check.ts';
import { xlsxParts } from './parts.ts';
import { readXlsxStreams } from './xlsx.ts';

/**
 * Elements that an output must not contain. This list is separate from the elements that the
 * remover drops, so that a mistake there is detected here.
 */
const unwanted = new Set(
  `comment commentList externalReference pivotCache pivotTableDefinition queryTable rPh filter
   customFilter legacyDrawing oleObject control fileSharing workbookProtection sheetProtection
   protectedRange scenario customSheetView extLst externalData functionGroup webPublishing
   dataConsolidate sst`.split(/\s+/),
);

export const xlsxKind: RedactableKind = {
  read: readXlsxStreams,
  textsOf: textsOfPackage,
  strangersIn: (bytes) => strangersInPackage(bytes, xlsxParts, unwanted),
};
