import type { Kind } from '../index.ts';
import { strangersInPackage, textsOfPackage } from '../package/check.ts';
import { xlsxParts } from './parts.ts';
import { readXlsx } from './xlsx.ts';

/** Elements that no output has: looked for by names of their own, not by those the remover goes by. */
const unwanted = new Set(
  `comment commentList externalReference pivotCache pivotTableDefinition queryTable rPh filter
   customFilter legacyDrawing oleObject control fileSharing workbookProtection sheetProtection
   protectedRange scenario customSheetView extLst externalData functionGroup webPublishing
   dataConsolidate sst`.split(/\s+/),
);

export const xlsxKind: Kind = {
  read: readXlsx,
  textsOf: textsOfPackage,
  strangersIn: (bytes) => strangersInPackage(bytes, xlsxParts, unwanted),
};
