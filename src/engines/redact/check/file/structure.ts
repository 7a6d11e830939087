import { kindOf, kinds } from './allowed.ts';
import type { ParsedFile } from './parse.ts';
import { type Dictionary, isDictionary, nameOf, type PdfValue, Reference, Text } from './syntax.ts';

/** Something that may not be; `object` is where, by number, when it is in one. */
export interface Finding {
  detail: string;
  object: number | undefined;
}

/** What the walk from the trailer saw. */
export interface Structure {
  findings: Finding[];
  /** What each object that was reached is, by its number: a kind of `allowed.ts`. */
  roles: Map<number, string>;
  /** The numbers of the page objects, in order. */
  pages: number[];
}

const deepest = 200;
const mostFindings = 200;

/**
 * Walks every object from the trailer and compares it with what is allowed: unknown keys, texts
 * where none is due, objects of the wrong kind, and objects that nothing leads to are findings.
 */
export function walkStructure(file: ParsedFile): Structure {
  const roles = new Map<number, string>();
  const findings: Finding[] = [];
  const pages: number[] = [];
  const visited = new Set<string>();

  const report = (detail: string, object: number | undefined): void => {
    if (findings.length < mostFindings) findings.push({ detail, object });
  };

  function walk(
    value: PdfValue | undefined,
    rule: string,
    inside: number | undefined,
    depth: number,
  ) {
    if (depth > deepest) {
      report('Objects are nested too deeply.', inside);
      return;
    }
    if (value instanceof Reference) {
      const object = file.objects.get(value.number);
      if (!object) return;
      const key = `${object.number} ${rule}`;
      if (visited.has(key)) return;
      visited.add(key);
      if (!roles.has(object.number)) roles.set(object.number, 'plain');
      if (object.stream) {
        walkDictionary(object.value, rule, object.number, depth, true);
        return;
      }
      walk(object.value, rule, object.number, depth + 1);
      return;
    }
    if (value === null || value === undefined) return;
    if (rule === 'nothing') {
      walkNothing(value, inside);
      return;
    }
    const list = /^\[(.*)\]$/.exec(rule)?.[1];
    if (list !== undefined) {
      for (const item of Array.isArray(value) ? value : [value])
        walk(item, list, inside, depth + 1);
      return;
    }
    if (rule === 'colour') {
      walkColour(value, inside, depth + 1);
      return;
    }
    if (value instanceof Text) {
      if (rule !== 'text') report('There is a text where none is due.', inside);
      return;
    }
    if (Array.isArray(value)) {
      for (const item of value) walk(item, rule, inside, depth + 1);
      return;
    }
    if (isDictionary(value)) walkDictionary(value, rule, inside, depth, false);
  }

  /** What is not allowed may still be there when it is empty. */
  function walkNothing(value: PdfValue, inside: number | undefined): void {
    const isEmpty = isDictionary(value)
      ? value.size === 0
      : Array.isArray(value) && value.length === 0;
    if (!isEmpty) report('A part of the document that must be gone is still there.', inside);
  }

  function walkDictionary(
    value: PdfValue,
    rule: string,
    inside: number | undefined,
    depth: number,
    isStream: boolean,
  ): void {
    if (!isDictionary(value)) {
      report('A stream is malformed.', inside);
      return;
    }
    if (rule === 'colour') {
      walkColour(value, inside, depth);
      return;
    }
    const list = /^\[(.*)\]$/.exec(rule)?.[1];
    if (list !== undefined) {
      walkDictionary(value, list, inside, depth, isStream);
      return;
    }
    const entries = /^\{(.*)\}$/.exec(rule)?.[1];
    if (entries !== undefined) {
      for (const entry of value.values()) walk(entry, entries, inside, depth + 1);
      return;
    }
    const wanted = rule.split('|').at(-1) ?? rule;
    const type = nameOf(value, 'Type');
    const subtype = nameOf(value, 'Subtype');
    const patternType = file.resolve(value.get('PatternType'));
    const kind = kindOf(wanted, {
      ...(type === undefined ? {} : { type }),
      ...(subtype === undefined ? {} : { subtype }),
      ...(typeof patternType === 'number' ? { patternType } : {}),
    });
    const allowed = kind === undefined ? undefined : kinds[kind];
    if (kind === undefined || !allowed) {
      report('There is an object of a kind that may not be there.', inside);
      return;
    }
    if (isStream && !('Length' in allowed)) {
      report('A stream stands where none may.', inside);
      return;
    }
    if (inside !== undefined && (isStream || roles.get(inside) === 'plain'))
      roles.set(inside, kind);
    if (kind === 'page' && inside !== undefined) pages.push(inside);
    for (const [key, entry] of value) {
      const next = allowed[key];
      if (next === undefined) {
        report(`A ${kind} has an entry that may not be there${known(key)}.`, inside);
      } else walk(entry, next, inside, depth + 1);
    }
  }

  /** Colour spaces are lists of names, numbers, functions, profiles and tables (32000-1 §8.6). */
  function walkColour(
    value: PdfValue | undefined,
    inside: number | undefined,
    depth: number,
  ): void {
    if (depth > deepest) {
      report('Objects are nested too deeply.', inside);
      return;
    }
    if (value instanceof Reference) {
      const object = file.objects.get(value.number);
      const key = `${value.number} colour`;
      if (!object || visited.has(key)) return;
      visited.add(key);
      if (!object.stream) {
        if (!roles.has(object.number)) roles.set(object.number, 'plain');
        walkColour(object.value, object.number, depth + 1);
        return;
      }
      walk(value, partOfColour(object.value), object.number, depth + 1);
      return;
    }
    if (Array.isArray(value)) for (const item of value) walkColour(item, inside, depth + 1);
    else if (isDictionary(value)) walk(value, partOfColour(value), inside, depth + 1);
  }

  walk(
    file.trailer,
    file.containers.length > 0 && file.trailer.has('W') ? 'tableStream' : 'trailer',
    undefined,
    0,
  );
  for (const number of file.objects.keys()) {
    if (!roles.has(number)) report('There is an object that nothing leads to.', undefined);
  }
  return { findings, roles, pages };
}

function partOfColour(value: PdfValue): string {
  if (!isDictionary(value)) return 'data';
  if (value.has('FunctionType')) return 'function';
  if (value.has('WhitePoint')) return 'calibration';
  if (value.has('N')) return 'profile';
  return value.has('Length') ? 'data' : 'colourants';
}

/** Keys that say nothing of the document, and may be named in a verdict. */
const namedInVerdicts = new Set(
  [
    'Annots AcroForm Names EmbeddedFiles AF JS OpenAction AA OCProperties Metadata PieceInfo',
    'StructTreeRoot StructParents StructParent Thumb Outlines Info PageLabels Dests Lang MarkInfo',
    'ViewerPreferences Properties OC OPI Alternates Ref LastModified B Tabs Encrypt Prev XRefStm',
    'PageMode PageLayout URI Perms Extensions Legal Collection Requirements SpiderInfo OutputIntents',
  ]
    .join(' ')
    .split(' '),
);

const known = (key: string): string => (namedInVerdicts.has(key) ? `, ${key}` : '');

/** The pages (1-based) that lead to an object, without going through the tree of pages. */
export function pagesWith(file: ParsedFile, pages: readonly number[], object: number): number[] {
  return pages.flatMap((page, index) => (leadsTo(file, page, object) ? [index + 1] : []));
}

function leadsTo(file: ParsedFile, from: number, to: number): boolean {
  const seen = new Set([from]);
  const queue: number[] = [from];
  const visit = (value: PdfValue): void => {
    if (value instanceof Reference) {
      if (seen.has(value.number)) return;
      seen.add(value.number);
      queue.push(value.number);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isDictionary(value)) visitEntries(value);
  };
  const visitEntries = (dictionary: Dictionary): void => {
    for (const [key, entry] of dictionary) if (key !== 'Parent') visit(entry);
  };
  for (const number of queue) {
    if (number === to) return true;
    const object = file.objects.get(number);
    if (object) visit(object.value);
  }
  return false;
}
