import { PDFDict as Dict, PDFArray, type PDFDict, PDFName, type PDFObject, PDFRef } from 'pdf-lib';
import { dictOf, lookUp, nameValue } from './values.ts';

/**
 * Returns whether optional content is displayed when the file is first opened (PDF 32000-1 §8.11).
 */
export type IsShown = (group: PDFObject | undefined) => boolean;

function refsIn(dict: PDFDict | undefined, key: string): Set<string> {
  const list = lookUp(dict, key);
  const refs = list instanceof PDFArray ? list.asArray() : [];
  return new Set(refs.filter((item) => item instanceof PDFRef).map((ref) => ref.toString()));
}

/**
 * Reads the default configuration of layers. Returns a function that checks whether it shows a
 * group.
 */
export function readLayers(catalog: PDFDict): IsShown {
  const configuration = dictOf(dictOf(catalog, 'OCProperties'), 'D');
  const offGroups = refsIn(configuration, 'OFF');
  const onGroups = refsIn(configuration, 'ON');
  const isOffByDefault = nameValue(configuration, 'BaseState') === 'OFF';
  const isGroupShown = (ref: PDFObject): boolean => {
    const key = ref.toString();
    return isOffByDefault ? onGroups.has(key) : !offGroups.has(key);
  };
  return (group) => {
    if (!(group instanceof PDFRef))
      return group === undefined || !(group instanceof Dict) || isMembershipShown(group);
    const dict = catalog.context.lookup(group);
    if (!(dict instanceof Dict)) return true;
    return nameValue(dict, 'Type') === 'OCMD' ? isMembershipShown(dict) : isGroupShown(group);
  };

  /**
   * Whether a membership dictionary, which combines several groups by a policy, is shown.
   * Visibility expressions (VE) are ignored.
   */
  function isMembershipShown(dict: PDFDict): boolean {
    const groups = dict.get(PDFName.of('OCGs'));
    const target = groups instanceof PDFRef ? catalog.context.lookup(groups) : groups;
    const list =
      target instanceof PDFArray ? target.asArray() : groups instanceof PDFRef ? [groups] : [];
    if (list.length === 0) return true;
    const shown = list.map(isGroupShown);
    const policy = nameValue(dict, 'P') ?? 'AnyOn';
    if (policy === 'AllOn') return shown.every(Boolean);
    if (policy === 'AnyOff') return shown.some((each) => !each);
    if (policy === 'AllOff') return !shown.some(Boolean);
    return shown.some(Boolean);
  }
}
