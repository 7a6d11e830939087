import { allowedKindOf, dictionaryKinds } from './allowed-keys.ts';
import type { ParsedFile } from './parse.ts';
import {
  type Dictionary,
  isDictionary,
  nameIn,
  PdfText,
  type PdfValue,
  Reference,
} from './syntax.ts';

/** Disallowed content, and the number of the object that contains it, if any. */
export interface StructureFault {
  detail: string;
  object: number | undefined;
}

/** The result of walking the file from its trailer. */
export interface Structure {
  faults: StructureFault[];
  /** The kind of each object that was reached (see `allowed-keys.ts`), by object number. */
  roles: Map<number, string>;
  /** The numbers of the page objects, in order. */
  pages: number[];
}

const maxDepth = 200;
const maxFaults = 200;

/**
 * Walks all objects from the trailer and compares them with the allowed ones. Unknown keys,
 * unexpected texts, objects of the wrong kind and unreferenced objects are faults.
 */
export function walkStructure(file: ParsedFile): Structure {
  return new StructureWalk(file).run();
}

class StructureWalk {
  readonly #file: ParsedFile;
  readonly #roles = new Map<number, string>();
  readonly #faults: StructureFault[] = [];
  readonly #pages: number[] = [];
  readonly #visited = new Set<string>();

  constructor(file: ParsedFile) {
    this.#file = file;
  }

  run(): Structure {
    const { trailer, containers, objects } = this.#file;
    const rule = containers.length > 0 && trailer.has('W') ? 'tableStream' : 'trailer';
    this.#walk(trailer, rule, undefined, 0);
    for (const number of objects.keys()) {
      if (!this.#roles.has(number)) this.#report('An object is not referenced.', undefined);
    }
    return { faults: this.#faults, roles: this.#roles, pages: this.#pages };
  }

  #report(detail: string, object: number | undefined): void {
    if (this.#faults.length < maxFaults) this.#faults.push({ detail, object });
  }

  /**
   * Walks a value by a rule of `allowed-keys.ts`. `inside` is the number of the object that contains
   * the value.
   */
  #walk(
    value: PdfValue | undefined,
    rule: string,
    inside: number | undefined,
    depth: number,
  ): void {
    if (depth > maxDepth) this.#report('Objects are nested too deeply.', inside);
    else if (value instanceof Reference) this.#walkReference(value, rule, depth);
    else if (value === null || value === undefined) return;
    else if (rule === 'nothing') this.#walkNothing(value, inside);
    else if (elementRule(rule) !== undefined) {
      const items = Array.isArray(value) ? value : [value];
      for (const item of items) this.#walk(item, elementRule(rule) ?? rule, inside, depth + 1);
    } else if (rule === 'colour') this.#walkColour(value, inside, depth + 1);
    else if (value instanceof PdfText) {
      if (rule !== 'text') this.#report('A string is in a place that allows no strings.', inside);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#walk(item, rule, inside, depth + 1);
    } else if (isDictionary(value)) this.#walkDictionary(value, rule, inside, depth, false);
  }

  #walkReference({ number }: Reference, rule: string, depth: number): void {
    const object = this.#file.objects.get(number);
    if (!object || !this.#visit(object.number, rule)) return;
    if (!this.#roles.has(object.number)) this.#roles.set(object.number, 'plain');
    if (object.stream) this.#walkDictionary(object.value, rule, object.number, depth, true);
    else this.#walk(object.value, rule, object.number, depth + 1);
  }

  /** Marks an object as visited under a rule. Returns false if it was already visited. */
  #visit(number: number, rule: string): boolean {
    const key = `${number} ${rule}`;
    if (this.#visited.has(key)) return false;
    this.#visited.add(key);
    return true;
  }

  /** Checks a forbidden entry, which may be present if it is empty. */
  #walkNothing(value: PdfValue, inside: number | undefined): void {
    const isEmpty = isDictionary(value)
      ? value.size === 0
      : Array.isArray(value) && value.length === 0;
    if (!isEmpty)
      this.#report('A part of the document that must be removed is still present.', inside);
  }

  #walkDictionary(
    value: PdfValue,
    rule: string,
    inside: number | undefined,
    depth: number,
    isStream: boolean,
  ): void {
    if (!isDictionary(value)) {
      this.#report('A stream is malformed.', inside);
      return;
    }
    if (rule === 'colour') {
      this.#walkColour(value, inside, depth);
      return;
    }
    const element = elementRule(rule);
    if (element !== undefined) {
      this.#walkDictionary(value, element, inside, depth, isStream);
      return;
    }
    const entryRule = /^\{(.*)\}$/.exec(rule)?.[1];
    if (entryRule !== undefined) {
      for (const entry of value.values()) this.#walk(entry, entryRule, inside, depth + 1);
      return;
    }
    const kind = this.#allowedKindOf(value, rule);
    const allowed = kind === undefined ? undefined : dictionaryKinds[kind];
    if (kind === undefined || !allowed) {
      this.#report('An object has a kind that is not allowed.', inside);
      return;
    }
    if (isStream && !('Length' in allowed)) {
      this.#report('A stream is in a place that allows no streams.', inside);
      return;
    }
    if (inside !== undefined && (isStream || this.#roles.get(inside) === 'plain')) {
      this.#roles.set(inside, kind);
    }
    if (kind === 'page' && inside !== undefined) this.#pages.push(inside);
    this.#walkEntries(value, kind, allowed, inside, depth);
  }

  #allowedKindOf(value: Dictionary, rule: string): string | undefined {
    const wanted = rule.split('|').at(-1) ?? rule;
    const type = nameIn(value, 'Type');
    const subtype = nameIn(value, 'Subtype');
    const patternType = this.#file.resolve(value.get('PatternType'));
    return allowedKindOf(wanted, {
      ...(type === undefined ? {} : { type }),
      ...(subtype === undefined ? {} : { subtype }),
      ...(typeof patternType === 'number' ? { patternType } : {}),
    });
  }

  #walkEntries(
    value: Dictionary,
    kind: string,
    allowed: Readonly<Record<string, string>>,
    inside: number | undefined,
    depth: number,
  ): void {
    for (const [key, entry] of value) {
      const rule = allowed[key];
      if (rule !== undefined) this.#walk(entry, rule, inside, depth + 1);
      else this.#report(`A ${kind} has an entry that is not allowed${nameIfSafe(key)}.`, inside);
    }
  }

  /**
   * Walks a colour space: a list of names, numbers, functions, profiles and tables (32000-1 §8.6).
   */
  #walkColour(value: PdfValue | undefined, inside: number | undefined, depth: number): void {
    if (depth > maxDepth) {
      this.#report('Objects are nested too deeply.', inside);
    } else if (value instanceof Reference) {
      const object = this.#file.objects.get(value.number);
      if (!object || !this.#visit(value.number, 'colour')) return;
      if (object.stream) {
        this.#walk(value, colourPartRule(object.value), object.number, depth + 1);
        return;
      }
      if (!this.#roles.has(object.number)) this.#roles.set(object.number, 'plain');
      this.#walkColour(object.value, object.number, depth + 1);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#walkColour(item, inside, depth + 1);
    } else if (isDictionary(value)) this.#walk(value, colourPartRule(value), inside, depth + 1);
  }
}

/** Returns the rule for the elements of a list: `x` for the rule `[x]`. */
const elementRule = (rule: string): string | undefined => /^\[(.*)\]$/.exec(rule)?.[1];

function colourPartRule(value: PdfValue): string {
  if (!isDictionary(value)) return 'data';
  if (value.has('FunctionType')) return 'function';
  if (value.has('WhitePoint')) return 'calibration';
  if (value.has('N')) return 'profile';
  return value.has('Length') ? 'data' : 'colourants';
}

/** Keys that reveal nothing about the document and may therefore be named in a verdict. */
const reportableKeys = new Set(
  [
    'Annots AcroForm Names EmbeddedFiles AF JS OpenAction AA OCProperties Metadata PieceInfo',
    'StructTreeRoot StructParents StructParent Thumb Outlines Info PageLabels Dests Lang MarkInfo',
    'ViewerPreferences Properties OC OPI Alternates Ref LastModified B Tabs Encrypt Prev XRefStm',
    'PageMode PageLayout URI Perms Extensions Legal Collection Requirements SpiderInfo OutputIntents',
  ]
    .join(' ')
    .split(' '),
);

const nameIfSafe = (key: string): string => (reportableKeys.has(key) ? `, ${key}` : '');

/**
 * Returns the pages (1-based) that refer to an object, directly or indirectly, other than through
 * the page tree.
 */
export function pagesReferringTo(
  file: ParsedFile,
  pages: readonly number[],
  object: number,
): number[] {
  return pages.flatMap((page, index) => (leadsTo(file, page, object) ? [index + 1] : []));
}

function leadsTo(file: ParsedFile, from: number, to: number): boolean {
  const visited = new Set([from]);
  const queue: number[] = [from];
  const visit = (value: PdfValue): void => {
    if (value instanceof Reference) {
      if (visited.has(value.number)) return;
      visited.add(value.number);
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
