import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
} from 'pdf-lib';

/* Accessors for files that may be malformed: a value of an unexpected type counts as missing. */

export function dictAt(dict: PDFDict, key: string): PDFDict | undefined {
  const value = dict.lookup(PDFName.of(key));
  if (value instanceof PDFStream) return value.dict;
  return value instanceof PDFDict ? value : undefined;
}

export function streamAt(dict: PDFDict, key: string): PDFStream | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFStream ? value : undefined;
}

export function nameAt(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : undefined;
}

export function numberAt(dict: PDFDict, key: string): number | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

/** Returns the entries of an array; an empty list for any other value. */
export function itemsAt(dict: PDFDict, key: string): PDFObject[] {
  const value = dict.lookup(PDFName.of(key));
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().map((_, at) => value.lookup(at) ?? value.get(at));
}

/** Returns the names of an entry that is one name or an array of names, such as filters. */
export function namesAt(dict: PDFDict, key: string): string[] {
  const name = nameAt(dict, key);
  if (name !== undefined) return [name];
  return itemsAt(dict, key).flatMap((item) => (item instanceof PDFName ? item.decodeText() : []));
}

export function has(dict: PDFDict, key: string): boolean {
  return dict.lookup(PDFName.of(key)) !== undefined;
}

/** Returns the dictionaries and streams in a dictionary of resources, by name. */
export function entriesAt(dict: PDFDict | undefined, key: string): [string, PDFDict | PDFStream][] {
  const entries = dict && dictAt(dict, key);
  if (!entries) return [];
  return entries.keys().flatMap((name): [string, PDFDict | PDFStream][] => {
    const value = entries.lookup(name);
    const isContainer = value instanceof PDFDict || value instanceof PDFStream;
    return isContainer ? [[name.decodeText(), value]] : [];
  });
}

/** Returns the dictionary of a dictionary or stream. */
export function dictOf(value: PDFDict | PDFStream): PDFDict {
  return value instanceof PDFStream ? value.dict : value;
}

/** Removes indirect objects that are no longer referenced. */
export function removeUnreferenced(context: PDFContext): void {
  const seen = new Set<PDFRef>();
  const { Root, Info, ID } = context.trailerInfo;
  const pending: (PDFObject | undefined)[] = [Root, Info, ID];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value instanceof PDFRef) {
      if (seen.has(value)) continue;
      seen.add(value);
      pending.push(context.lookup(value));
    } else if (value instanceof PDFArray) pending.push(...value.asArray());
    else if (value instanceof PDFStream) pending.push(...value.dict.values());
    else if (value instanceof PDFDict) pending.push(...value.values());
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!seen.has(ref)) context.delete(ref);
}
