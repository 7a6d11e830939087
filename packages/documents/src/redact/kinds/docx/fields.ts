import { isXmlElement, transform, walk, type XmlElement, xmlText } from '../../../files/xml.ts';

/**
 * Fields that are kept because they refer to the document itself. Other fields are replaced with
 * their last result.
 */
const keptFields =
  /^\s*(PAGE|NUMPAGES|SECTION|SECTIONPAGES|TOC|TC|REF|PAGEREF|NOTEREF|SEQ|STYLEREF|FORMTEXT|FORMCHECKBOX|FORMDROPDOWN|SYMBOL|EQ|HYPERLINK\s+\\l)(\s|$)/i;

const typeOf = (element: XmlElement): string | undefined =>
  element.attributes.find(({ local }) => local === 'fldCharType')?.value;

/**
 * Removes fields that refer to content outside the document (links, merged data, properties, users,
 * files) and keeps their last results. Fields that span several runs may be nested.
 */
export function dropFields(root: XmlElement): void {
  const removed = new Set<XmlElement>();
  const openFields: { marks: XmlElement[]; instructions: XmlElement[]; separated: boolean }[] = [];
  const closeField = (): void => {
    const field = openFields.pop();
    if (!field || keptFields.test(field.instructions.map(xmlText).join(''))) return;
    for (const element of [...field.marks, ...field.instructions]) removed.add(element);
  };
  walk(root, (element) => {
    if (element.local === 'instrText') {
      const field = openFields.at(-1);
      if (field && !field.separated) field.instructions.push(element);
      else removed.add(element);
    }
    if (element.local !== 'fldChar') return;
    const type = typeOf(element);
    if (type === 'begin') openFields.push({ marks: [element], instructions: [], separated: false });
    else {
      openFields.at(-1)?.marks.push(element);
      if (openFields.length === 0) removed.add(element);
      const field = openFields.at(-1);
      if (type === 'separate' && field) field.separated = true;
      if (type === 'end') closeField();
    }
  });
  while (openFields.length > 0) closeField();
  transform(root, (element) => {
    if (removed.has(element)) return [];
    if (element.local === 'fldSimple') {
      const instruction = element.attributes.find(({ local }) => local === 'instr')?.value ?? '';
      if (!keptFields.test(instruction)) return element.children;
    }
    return [element];
  });
}

/** Names that Word generates for bookmarks. */
const generatedName = /^_(Toc|Ref|Hlk|Hlt|GoBack|Toc_)\d*$/;

/** Renames bookmarks to `bookmark1` and so on, and updates all references to them. */
export function renameBookmarks(roots: readonly XmlElement[]): void {
  const names = new Map<string, string>();
  for (const root of roots) {
    walk(root, (element) => {
      if (element.local !== 'bookmarkStart') return;
      for (const attribute of element.attributes) {
        if (attribute.local !== 'name' || generatedName.test(attribute.value)) continue;
        const name = names.get(attribute.value) ?? `bookmark${names.size + 1}`;
        names.set(attribute.value, name);
        attribute.value = name;
        attribute.machine = true;
      }
    });
  }
  const renameIn = (text: string): string =>
    text.replace(/[\p{L}_][\p{L}\p{N}_.]*/gu, (word) => names.get(word) ?? word);
  for (const root of roots) {
    walk(root, (element) => {
      for (const attribute of element.attributes) {
        if (attribute.local === 'anchor' && element.local === 'hyperlink') {
          attribute.machine = names.has(attribute.value);
          attribute.value = names.get(attribute.value) ?? attribute.value;
        }
        if (attribute.local === 'instr') attribute.value = renameIn(attribute.value);
      }
      if (element.local !== 'instrText') return;
      for (const child of element.children) {
        if (!isXmlElement(child)) child.text = renameIn(child.text);
      }
    });
  }
}
