import { readXmlFile } from '../../../files/read-xml-file.ts';
import { walk, xmlText } from '../../../files/xml.ts';
import type { Texts } from '../kind.ts';

/** Returns all strings of an XML file: texts as they are and joined, attributes, and names. */
export function textsOfXml(bytes: Uint8Array): Texts {
  const shown: string[] = [];
  const hidden = new Set<string>();
  walk(readXmlFile(bytes), (element) => {
    for (const child of element.children) if ('text' in child) shown.push(child.text);
    if (element.children.length > 1) shown.push(xmlText(element));
    hidden.add(element.name);
    for (const { name, value } of element.attributes) hidden.add(name).add(value);
  });
  return { shown: [shown.join('\n')], hidden: [[...hidden].join('\n')] };
}

/** Returns descriptions of markup besides elements, which no output contains. */
export function disallowedMarkupIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('utf8');
  const found = /<!--|<!DOCTYPE|<\?(?!xml version="1\.0" encoding="UTF-8" standalone="yes"\?>)/;
  return found.test(text) ? ['comments, instructions or a document type'] : [];
}
