import { type PDFDict, PDFName } from 'pdf-lib';
import { lookUp } from './values.ts';

const keySet = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

const pictureKeys = keySet(
  `Type Subtype Width Height BitsPerComponent Intent ImageMask Decode Interpolate SMaskInData Matte
  ColorSpace Mask SMask Filter DecodeParms`,
);
const formKeys = keySet('Type Subtype FormType BBox Matrix Resources Group Filter DecodeParms');
const fontKeys = keySet(
  `Type Subtype BaseFont FirstChar LastChar Widths FontBBox FontMatrix FontDescriptor Encoding
  ToUnicode DescendantFonts CharProcs Resources`,
);
const cidFontKeys = keySet(
  'Type Subtype BaseFont DW W DW2 W2 CIDSystemInfo FontDescriptor CIDToGIDMap',
);

/**
 * Returns the keys that are defined for a dictionary of this kind; undefined if the dictionary does
 * not state its kind. Producers add other keys: Chrome writes ColorTransform into pictures and
 * CIDToGIDMap into Type 3 fonts.
 */
export function definedKeysOf(dict: PDFDict): ReadonlySet<string> | undefined {
  const nameOf = (key: string): string => {
    const value = lookUp(dict, key);
    return value instanceof PDFName ? value.decodeText() : '';
  };
  const subtype = nameOf('Subtype');
  if (nameOf('Type') === 'Font') return subtype.startsWith('CIDFont') ? cidFontKeys : fontKeys;
  if (subtype === 'Image') return pictureKeys;
  return subtype === 'Form' ? formKeys : undefined;
}
