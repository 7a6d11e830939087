import { isRelationshipNamespace } from '../../../files/opc.ts';
import {
  type Attribute,
  elementsOf,
  isXmlElement,
  transform,
  walk,
  type XmlElement,
  type XmlNode,
  xmlnsUri,
} from '../../../files/xml.ts';
import { type Piece, piece, type Stream } from '../stream.ts';
import { enumerations } from './enumerations.ts';
import { isKnownNamespace } from './namespaces.ts';

/** Streams for the strings of a part that are not visible. */
export interface HiddenStreams {
  /** Text that was written by people: alternative texts, names of objects, instructions. */
  hidden: Stream;
  /** Generated names. They are searched only for values that were found elsewhere. */
  names: Stream;
}

/**
 * The treatment of an element beyond the general rules: whether it is dropped, replaced with its
 * content, or kept.
 */
export type CleanRule = (element: XmlElement) => 'drop' | 'unwrap' | 'keep';

/** Whether an element refers to a part that is kept, with an attribute of the given local name. */
export const refersToKept = (
  element: XmlElement,
  name: string,
  references: ReadonlyMap<string, string>,
): boolean =>
  element.attributes.some(
    ({ local, uri, value }) =>
      local === name && isRelationshipNamespace(uri) && references.has(value),
  );

/**
 * Attributes that record authors, times, editing sessions or targets that were not valid, or that name
 * macros, frames and places in other files.
 */
const droppedAttribute =
  /^(rsid\w*|author|initials|date|dateUtc|paraId|textId|durableId|uid|userId|codeName|cm|vm|invalidUrl|docLocation|tgtFrame|macro)$/;

/** The types of fields of slides (ECMA-376 part 1, 21.1.2.2.4). */
const fieldType = /^(slidenum|datetime\d{0,2})$/;

/** Whether an attribute is the name of a shape, which only programs and lists of shapes show. */
const isShapeName = ({ local: element }: XmlElement, { local }: Attribute): boolean =>
  local === 'name' && (element === 'cNvPr' || element === 'docPr');

/**
 * Removes content from a part that is never kept: unknown namespaces, extensions, references to
 * dropped parts, tracking, and the elements that `rule` drops.
 * @param references new ids of kept relationships, by old id
 */
export function cleanPart(
  root: XmlElement,
  references: ReadonlyMap<string, string>,
  rule: CleanRule,
): void {
  const visit = (element: XmlElement): XmlNode[] => {
    if (!isKnownNamespace(element.uri) || element.local === 'extLst') return [];
    if (element.local === 'AlternateContent') return chooseAlternative(element);
    const treatment = rule(element);
    if (treatment === 'drop') return [];
    if (treatment === 'unwrap') return element.children;
    return [element];
  };
  transform(root, visit);
  walk(root, (element) => cleanAttributes(element, references));
}

/**
 * Keeps the alternative that needs only known namespaces. If only the fallback remains, returns its
 * content.
 */
function chooseAlternative(element: XmlElement): XmlNode[] {
  const isSupported = (prefix: string): boolean => /^(wps|wpg|wpc|w14|wp14|a14|v)$/.test(prefix);
  const choices = elementsOf(element).filter(
    (branch) =>
      branch.local === 'Choice' &&
      (branch.attributes.find(({ local }) => local === 'Requires')?.value ?? '-')
        .split(/\s+/)
        .every(isSupported),
  );
  const fallback = elementsOf(element).filter(({ local }) => local === 'Fallback');
  if (choices.length === 0) return fallback[0]?.children ?? [];
  element.children = [...choices.slice(0, 1), ...fallback.slice(0, 1)];
  return [element];
}

function cleanAttributes(element: XmlElement, references: ReadonlyMap<string, string>): void {
  element.attributes = element.attributes.filter((attribute) => {
    const { uri, local, name, value } = attribute;
    if (uri === xmlnsUri || name === 'xmlns' || name.startsWith('xmlns:')) {
      return isKnownNamespace(value);
    }
    if (uri !== '' && !isKnownNamespace(uri)) return false;
    if (isRelationshipNamespace(uri)) {
      const kept = references.get(value);
      if (kept !== undefined) attribute.value = kept;
      return kept !== undefined;
    }
    // The standard requires the attribute.
    if (isShapeName(element, attribute)) attribute.value = '';
    if (element.local === 'fld' && local === 'type') return fieldType.test(value);
    return !droppedAttribute.test(local);
  });
  const ignorable = element.attributes.find(({ local }) => local === 'Ignorable');
  if (ignorable) {
    const prefixes = new Set(element.attributes.map(({ name }) => name.replace(/^xmlns:/, '')));
    ignorable.value = ignorable.value
      .split(/\s+/)
      .filter((prefix) => prefixes.has(prefix))
      .join(' ');
  }
}

/** Attributes with text for readers, on any element. */
const textAttributes = new Set(
  `descr title alt tooltip display prompt promptTitle error errorTitle string instr text label
   caption statusText helpText displayText defaultValue`.split(/\s+/),
);
/** Attributes with text for readers, only on some elements. */
const elementTextAttributes = new Set(
  `alias@val tag@val tblCaption@val tblDescription@val helpText@val
   statusText@val default@val listEntry@val listItem@value name@val lvlText@val docPartCategory@val
   table@name table@displayName table@comment tableColumn@name tableColumn@totalsRowLabel
   definedName@name definedName@comment definedName@description cellStyle@name numFmt@formatCode
   shape@id shape@href group@href rect@href line@href hyperlink@location autoFilter@name
   bookmarkStart@name hyperlink@anchor style@name cSld@name
   theme@name title@val desc@val tblStyle@styleName`.split(/\s+/),
);

/** Attributes with names of built-in styles, which are not text. */
const builtInStyle = /^(style|name)@/;

const layoutValue =
  /^(-?\d{1,7}(\.\d{1,6})?(pt|px|in|cm|mm|%|em)?|#?[0-9A-F]{6}|#[0-9a-f]{6}|[0-9A-F]{8}|true|false|on|off)$/;

/**
 * Whether the value of an attribute belongs to the layout: sizes, indexes, colours, keywords of the
 * standard. Such attributes are not text and never match a value.
 */
export const isLayout = (value: string): boolean =>
  layoutValue.test(value) || enumerations.has(value);

/**
 * Converts all remaining strings of a part to pieces, so that none remains unread. Drops white
 * space between elements.
 */
export function readRemaining(root: XmlElement, { hidden, names }: HiddenStreams): void {
  walk(root, (element) => {
    const isCustomStyle = element.attributes.some(
      ({ local, value }) => local === 'customStyle' && value !== '0',
    );
    for (const attribute of element.attributes) {
      const { name, local, value } = attribute;
      if (attribute.piece || attribute.machine || value === '') continue;
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
      const key = `${element.local}@${local}`;
      if (
        textAttributes.has(local) ||
        (elementTextAttributes.has(key) && (isCustomStyle || !builtInStyle.test(key)))
      ) {
        attribute.piece = addText(hidden, value);
      } else if (!isLayout(value)) attribute.piece = addText(names, value);
    }
    element.children = element.children.filter(
      (child) => isXmlElement(child) || child.piece || child.text.trim() !== '',
    );
    for (const child of element.children) {
      if (isXmlElement(child) || child.piece) continue;
      child.piece = addText(isLayout(child.text) ? names : hidden, child.text);
    }
  });
}

/** Adds a separate text to a stream. */
export function addText(to: Stream, text: string, whole: string | null = null): Piece {
  const added = piece(text, whole);
  to.parts.push(added, '\n');
  return added;
}
