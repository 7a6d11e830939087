import { readXmlFile } from '../../../files/read-xml-file.ts';
import { walk } from '../../../files/xml.ts';
import { isEncodedFile } from '../encoded-file.ts';
import type { RedactableKind } from '../kind.ts';
import type { FileReading } from '../stream.ts';
import { hasText, type MarkupRules, readMarkup } from './markup.ts';
import { disallowedMarkupIn, textsOfXml } from './read.ts';

const rules: MarkupRules = {
  hasMeaningfulNames: true,
  isInline: (_element, parent) => hasText(parent),
  isMachine: () => false,
};

/**
 * Reads XML. Texts and attributes that contain files in base64 are emptied.
 * @throws EngineError if the file is damaged or has a document type definition
 */
function readXmlStreams(bytes: Uint8Array): FileReading {
  const root = readXmlFile(bytes);
  let hasFiles = false;
  const withoutFile = (text: string): string => {
    if (!isEncodedFile(text)) return text;
    hasFiles = true;
    return '';
  };
  walk(root, (element) => {
    for (const child of element.children) if ('text' in child) child.text = withoutFile(child.text);
    for (const attribute of element.attributes) attribute.value = withoutFile(attribute.value);
  });
  return {
    pages: 1,
    pictures: 0,
    dropped: hasFiles ? ['base64'] : [],
    ...readMarkup(root, rules),
  };
}

export const xmlKind: RedactableKind = {
  read: readXmlStreams,
  textsOf: textsOfXml,
  disallowedIn: disallowedMarkupIn,
};
