import { attributeValue, elementsOf, type XmlElement } from '../../../files/xml.ts';
import { toRoman } from '../roman.ts';
import { isOn, type Styles, valOf } from './styles.ts';

type Level = {
  start: number;
  format: string;
  text: string;
  /** The level after which this level restarts: null after any higher level, 0 never. */
  restart: number | null;
  /** Whether all numbers in its text are Arabic. */
  isArabic: boolean;
  style: string | undefined;
};

type List = { id: string; levels: Map<number, Level>; starts: Map<number, number> };

/** The number or bullet of an item. */
type Marker = { text: string; ordered: boolean };

export type Numbering = {
  /**
   * Advances the counter and returns the marker of an item; null for an unknown list or one without
   * markers.
   */
  next(numId: string, level: number): Marker | null;
  /** Returns the level that belongs to a style. */
  levelOf(numId: string, styleId: string): number;
};

const letterNumber = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.floor((value - 1) / 26) + 1);

/** Returns a number in a format (17.18.59). Formats of other scripts use Arabic numbers. */
function formatNumber(value: number, format: string): string {
  if (value < 1 || value > 9999) return String(value);
  switch (format) {
    case 'lowerLetter':
      return value > 780 ? String(value) : letterNumber(value);
    case 'upperLetter':
      return value > 780 ? String(value) : letterNumber(value).toUpperCase();
    case 'lowerRoman':
      return toRoman(value);
    case 'upperRoman':
      return toRoman(value).toUpperCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'ordinal': {
      const end = ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
      return `${value}${Math.floor((value % 100) / 10) === 1 ? 'th' : end}`;
    }
    default:
      return String(value);
  }
}

function readLevel(element: XmlElement): Level {
  return {
    start: Number(valOf(element, 'start') ?? '1') || 0,
    format: valOf(element, 'numFmt') ?? 'decimal',
    text: valOf(element, 'lvlText') ?? '',
    restart:
      valOf(element, 'lvlRestart') === undefined ? null : Number(valOf(element, 'lvlRestart')),
    isArabic: isOn(element, 'isLgl') === true,
    style: valOf(element, 'pStyle'),
  };
}

const levelNumber = (element: XmlElement): number => Number(attributeValue(element, 'ilvl') ?? '0');

function readLevels(element: XmlElement): Map<number, Level> {
  const levels = elementsOf(element).filter(({ local }) => local === 'lvl');
  return new Map(levels.map((level) => [levelNumber(level), readLevel(level)]));
}

/**
 * Reads lists and their counters (ECMA-376 part 1, 17.9). Lists with the same definition share
 * counters, except lists with a separate start value.
 */
export function readNumbering(root: XmlElement | undefined, styles: Styles): Numbering {
  const abstracts = new Map<string, XmlElement>();
  const nums = new Map<string, XmlElement>();
  for (const element of elementsOf(root)) {
    const id = attributeValue(element, element.local === 'num' ? 'numId' : 'abstractNumId');
    if (id === undefined) continue;
    if (element.local === 'abstractNum') abstracts.set(id, element);
    if (element.local === 'num') nums.set(id, element);
  }
  const lists = new Map<string, List | null>();
  const listOf = (numId: string, depth = 0): List | null => {
    const cached = lists.get(numId);
    if (cached !== undefined) return cached;
    const num = nums.get(numId);
    const abstractId = valOf(num, 'abstractNumId');
    const definition = abstractId === undefined ? undefined : abstracts.get(abstractId);
    const list =
      num && definition && abstractId !== undefined
        ? readList(num, definition, abstractId, depth)
        : null;
    lists.set(numId, list);
    return list;
  };
  const readList = (
    num: XmlElement,
    definition: XmlElement,
    id: string,
    depth: number,
  ): List | null => {
    // A definition may refer to a style, which refers to the list that it uses.
    const link = valOf(definition, 'numStyleLink');
    const linked = link === undefined ? undefined : styles.paragraph(link).numbering?.numId;
    const base = linked !== undefined && depth < 4 ? listOf(linked, depth + 1) : null;
    const levels = new Map([...(base?.levels ?? []), ...readLevels(definition)]);
    const starts = new Map<number, number>();
    for (const override of elementsOf(num).filter(({ local }) => local === 'lvlOverride')) {
      for (const [, level] of readLevels(override)) levels.set(levelNumber(override), level);
      const start = valOf(override, 'startOverride');
      if (start !== undefined) starts.set(levelNumber(override), Number(start) || 0);
    }
    return { id: base?.id ?? id, levels, starts };
  };
  return { next: createCounter(listOf), levelOf: (numId, style) => levelOf(listOf(numId), style) };
}

function levelOf(list: List | null, styleId: string): number {
  for (const [number, { style }] of list?.levels ?? []) if (style === styleId) return number;
  return 0;
}

function createCounter(listOf: (numId: string) => List | null): Numbering['next'] {
  /** Counters by definition and level; undefined for a level that restarts. */
  const counters = new Map<string, (number | undefined)[]>();
  const started = new Set<string>();
  return (numId, level) => {
    const list = listOf(numId);
    const definition = list?.levels.get(level);
    if (!list || !definition) return null;
    const counts = counters.get(list.id) ?? [];
    counters.set(list.id, counts);
    const start = list.starts.get(level);
    const key = `${numId} ${level}`;
    if (start !== undefined && !started.has(key)) counts[level] = undefined;
    started.add(key);
    counts[level] = (counts[level] ?? (start ?? definition.start) - 1) + 1;
    for (const [deeper, { restart }] of list.levels) {
      if (deeper > level && restart !== 0 && (restart === null || level < restart)) {
        counts[deeper] = undefined;
      }
    }
    if (definition.format === 'bullet') return { text: '•', ordered: false };
    const text = definition.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const referenced = list.levels.get(at);
      const value = counts[at] ?? referenced?.start ?? 1;
      return formatNumber(
        value,
        definition.isArabic ? 'decimal' : (referenced?.format ?? 'decimal'),
      );
    });
    return definition.format === 'none' && text.trim() === ''
      ? null
      : { text: text.trim(), ordered: true };
  };
}
