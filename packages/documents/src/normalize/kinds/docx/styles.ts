import { attributeValue, childOf, elementsOf, type XmlElement } from '../../../files/xml.ts';
import type { Mark } from '../../document.ts';

/** The role that a style gives to a paragraph. */
export type StyleRole =
  | { role: 'heading'; level: number }
  | { role: 'paragraph' | 'quote' | 'caption' | 'code' };

type Style = {
  id: string;
  role: StyleRole;
  /** The list that the style adds its paragraphs to; null without a list. */
  numbering: { numId: string; level: number | null } | null;
  marks: readonly Mark[];
  hidden: boolean;
};

export type Styles = {
  paragraph(id: string | undefined): Style;
  character(id: string | undefined): Style;
  /** The language of the document's default text. */
  language: string | null;
};

const defaultStyle: Style = {
  id: '',
  role: { role: 'paragraph' },
  numbering: null,
  marks: [],
  hidden: false,
};

const maxBases = 20;

export const valOf = (element: XmlElement | undefined, child: string): string | undefined => {
  const found = childOf(element, child);
  return attributeValue(found, 'val');
};

/**
 * Whether a boolean property is present and not off (ECMA-376 part 1, 17.17.4); undefined if
 * absent.
 */
export const isOn = (element: XmlElement | undefined, child: string): boolean | undefined => {
  const found = childOf(element, child);
  if (!found) return undefined;
  return !['0', 'false', 'off', 'none'].includes(attributeValue(found, 'val') ?? '1');
};

/** Returns the marks after applying the run properties that set or unset them. */
export function marksOf(
  properties: XmlElement | undefined,
  inherited: readonly Mark[],
): readonly Mark[] {
  if (!properties) return inherited;
  const set = new Set(inherited);
  const setMark = (mark: Mark, on: boolean | undefined): void => {
    if (on === true) set.add(mark);
    else if (on === false) set.delete(mark);
  };
  setMark('bold', isOn(properties, 'b'));
  setMark('italic', isOn(properties, 'i'));
  setMark('strike', isOn(properties, 'strike') ?? isOn(properties, 'dstrike'));
  const align = valOf(properties, 'vertAlign');
  if (align !== undefined) {
    setMark('superscript', align === 'superscript');
    setMark('subscript', align === 'subscript');
  }
  return [...set];
}

/**
 * Returns the heading role of an outline level from 0. The document title has level 1, above all of
 * them.
 */
export const headingOfOutline = (level: number): StyleRole =>
  level >= 0 && level <= 8 ? { role: 'heading', level: level + 2 } : { role: 'paragraph' };

function roleOf(name: string): StyleRole | null {
  const heading = /^heading ?([1-9])\b/i.exec(name);
  if (heading) return headingOfOutline(Number(heading[1]) - 1);
  if (/^title$/i.test(name)) return { role: 'heading', level: 1 };
  if (/^(intense )?quote$|^block ?text$|^quotations?$/i.test(name)) return { role: 'quote' };
  if (/^(caption|image caption|table caption|figure)$/i.test(name)) return { role: 'caption' };
  if (
    /^(html preformatted|source code|code|code block|preformatted text|macro text)$/i.test(name)
  ) {
    return { role: 'code' };
  }
  return null;
}

const isCodeName = (name: string): boolean =>
  /^(html (code|typewriter|sample|keyboard)|verbatim char|source text|code char|inline code)$/i.test(
    name,
  );

/**
 * Reads styles with their inherited properties (ECMA-376 part 1, 17.7). Headings are recognised by
 * style name, which is English in every language of Word, or by outline level, which may be
 * inherited.
 */
export function readStyles(root: XmlElement | undefined): Styles {
  const elements = new Map<string, XmlElement>();
  const defaults = new Map<string, string>();
  for (const element of elementsOf(root)) {
    const id = attributeValue(element, 'styleId');
    if (element.local !== 'style' || id === undefined) continue;
    elements.set(id, element);
    const isDefault = ['1', 'true', 'on'].includes(attributeValue(element, 'default') ?? '');
    if (isDefault) defaults.set(attributeValue(element, 'type') ?? '', id);
  }
  const stylesById = new Map<string, Style>();
  const readStyle = (id: string | undefined, depth: number): Style => {
    const element = id === undefined ? undefined : elements.get(id);
    if (id === undefined || !element || depth > maxBases) return defaultStyle;
    const cached = stylesById.get(id);
    if (cached) return cached;
    const base = readStyle(valOf(element, 'basedOn'), depth + 1);
    const name = valOf(element, 'name') ?? id;
    const paragraph = childOf(element, 'pPr');
    const run = childOf(element, 'rPr');
    const outline = valOf(paragraph, 'outlineLvl');
    const numbering = childOf(paragraph, 'numPr');
    const numId = valOf(numbering, 'numId');
    const level = valOf(numbering, 'ilvl');
    const marks = marksOf(run, base.marks);
    const style: Style = {
      id,
      role: roleOf(name) ?? (outline === undefined ? base.role : headingOfOutline(Number(outline))),
      numbering:
        numId === undefined
          ? base.numbering
          : { numId, level: level === undefined ? null : Number(level) },
      marks: isCodeName(name) ? [...marks, 'code'] : marks,
      hidden: isOn(run, 'vanish') ?? base.hidden,
    };
    stylesById.set(id, style);
    return style;
  };
  const runDefaults = childOf(root, 'docDefaults');
  const rPr = childOf(runDefaults, 'rPrDefault');
  return {
    paragraph: (id) => readStyle(id ?? defaults.get('paragraph'), 0),
    character: (id) => (id === undefined ? defaultStyle : readStyle(id, 0)),
    language: (rPr && valOf(childOf(rPr, 'rPr'), 'lang')) ?? null,
  };
}
