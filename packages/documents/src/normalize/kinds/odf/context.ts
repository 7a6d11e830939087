import { EngineError } from '@scriptorium/sandbox/errors';
import { readOdfPackage } from '../../../files/odf.ts';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import { unreadOdfParts } from '../../../files/unread/odf.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import type { Mark } from '../../document.ts';
import type { createBudget } from '../build-blocks.ts';

/** Lookups by style name. */
export type Styles = {
  marksOf(name: string | undefined): readonly Mark[];
  /** Returns the display names of a style and of the styles that it is based on, in lower case. */
  namesOf(name: string | undefined): readonly string[];
  isHidden(name: string | undefined): boolean;
  /** Whether a style hides a sheet or slide. */
  hidesPage(name: string | undefined): boolean;
  /** Returns the counter format of a list level, from 1; null for a bullet. */
  counterOf(list: string | undefined, level: number): { format: string; suffix: string } | null;
};

export type OdfContext = {
  styles: Styles;
  parts: ReadonlyMap<string, Uint8Array>;
  page: number;
  budget: ReturnType<typeof createBudget>;
  /** The notes and comments, which follow the text. */
  notes: Note[];
  /** The number of comments read so far. */
  comments: number;
  unread: UnreadKinds;
};

type Note = { label: string; author: string | null; body: XmlElement };

/** Opens a file and returns its parts, content and styles. Throws EngineError. */
export function openOdf(bytes: Uint8Array): {
  parts: Map<string, Uint8Array>;
  body: XmlElement;
  styles: Styles;
  /** The headers and footers of pages, in the order of the file. */
  furniture: { kind: 'header' | 'footer'; content: XmlElement }[];
  title: string | null;
  language: string | null;
  unread: UnreadKinds;
} {
  const { parts, manifest, rootOf } = readOdfPackage(bytes);
  const content = rootOf('content.xml');
  const body = childOf(content, 'body');
  if (!content || !body) {
    throw new EngineError('unsupported', 'The file is not of its declared type.');
  }
  const stylesRoot = rootOf('styles.xml');
  const meta = rootOf('meta.xml');
  const info = childOf(meta, 'meta');
  const metadataText = (name: string): string | null => {
    const found = childOf(info, name);
    return (found && xmlText(found).trim()) || null;
  };
  const unread = createUnreadKinds();
  for (const type of unreadOdfParts(manifest, parts)) unread.add(type);
  return {
    parts,
    body,
    furniture: stylesRoot ? furnitureIn(stylesRoot) : [],
    unread,
    styles: readStyles([content, ...(stylesRoot ? [stylesRoot] : [])]),
    title: metadataText('title'),
    language: metadataText('language'),
  };
}

/** Returns the headers and footers of first, left and right pages (ODF 1.3 part 3, 16.9). */
function furnitureIn(styles: XmlElement): { kind: 'header' | 'footer'; content: XmlElement }[] {
  return elementsOf(childOf(styles, 'master-styles'))
    .flatMap(elementsOf)
    .flatMap((content) => {
      const kind = /^(header|footer)(?:-left|-first)?$/.exec(content.local)?.[1];
      return kind === 'header' || kind === 'footer' ? [{ kind, content }] : [];
    });
}

const maxBases = 20;

function readStyles(roots: readonly XmlElement[]): Styles {
  const byName = new Map<string, XmlElement>();
  const lists = new Map<string, XmlElement>();
  for (const root of roots) {
    for (const group of elementsOf(root)) {
      if (!/^(automatic-styles|styles)$/.test(group.local)) continue;
      for (const style of elementsOf(group)) {
        const name = attributeValue(style, 'name');
        if (name === undefined) continue;
        if (style.local === 'list-style') lists.set(name, style);
        else if (style.local === 'style' && !byName.has(name)) byName.set(name, style);
      }
    }
  }
  const chainOf = (name: string | undefined): XmlElement[] => {
    const chain: XmlElement[] = [];
    let style = name === undefined ? undefined : byName.get(name);
    while (style && chain.length < maxBases) {
      chain.push(style);
      style = byName.get(attributeValue(style, 'parent-style-name') ?? '');
    }
    return chain;
  };
  const textValue = (name: string | undefined, property: string): string | undefined => {
    for (const style of chainOf(name)) {
      const found = childOf(style, 'text-properties');
      const value = attributeValue(found, property);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    marksOf(name) {
      const marks: Mark[] = [];
      if (/bold|[6-9]00/.test(textValue(name, 'font-weight') ?? '')) marks.push('bold');
      if (/italic|oblique/.test(textValue(name, 'font-style') ?? '')) marks.push('italic');
      if (!/^(none)?$/.test(textValue(name, 'text-line-through-style') ?? '')) marks.push('strike');
      const textPosition = textValue(name, 'text-position') ?? '';
      if (/^super|^[1-9]/.test(textPosition)) marks.push('superscript');
      else if (/^sub|^-/.test(textPosition)) marks.push('subscript');
      return marks;
    },
    namesOf: (name) =>
      [
        name,
        ...chainOf(name).map(
          (style) => attributeValue(style, 'display-name') ?? attributeValue(style, 'name'),
        ),
      ]
        .filter((one) => one !== undefined)
        .map((one) => one.replaceAll('_20_', ' ').toLowerCase()),
    isHidden: (name) => textValue(name, 'display') === 'none',
    hidesPage: (name) =>
      chainOf(name).some((style) => {
        const table = childOf(style, 'table-properties');
        const slide = childOf(style, 'drawing-page-properties');
        return (
          attributeValue(table, 'display') === 'false' ||
          attributeValue(slide, 'visibility') === 'hidden'
        );
      }),
    counterOf(list, level) {
      const style = list === undefined ? undefined : lists.get(list);
      const levelStyle =
        style && elementsOf(style).find((one) => Number(attributeValue(one, 'level')) === level);
      if (levelStyle?.local !== 'list-level-style-number') return null;
      const format = attributeValue(levelStyle, 'num-format') ?? '';
      return format === ''
        ? null
        : { format, suffix: attributeValue(levelStyle, 'num-suffix') ?? '.' };
    },
  };
}
