import type { Kind } from '../index.ts';
import { strangersInPackage, textsOfPackage } from '../package/check.ts';
import { readDocx } from './docx.ts';
import { docxParts } from './parts.ts';

/** Elements that no output has: looked for by names of their own, not by those the remover goes by. */
const unwanted = new Set(
  `del ins moveFrom moveTo delText delInstrText commentReference commentRangeStart comment object
   OLEObject control altChunk subDoc customXml smartTag dataBinding docVars mailMerge rsids rPrChange
   pPrChange sectPrChange tblPrChange extLst embedRegular externalData permStart attachedTemplate`.split(
    /\s+/,
  ),
);

export const docxKind: Kind = {
  read: readDocx,
  textsOf: textsOfPackage,
  strangersIn: (bytes) => strangersInPackage(bytes, docxParts, unwanted),
};
