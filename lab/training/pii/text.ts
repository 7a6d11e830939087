import type { TaggedType } from '@scriptorium/pii/tagger/labels';

/** Builds a text with its entities. Offsets are in UTF-16 units, ends exclusive. */
export interface Span {
  type: TaggedType;
  start: number;
  end: number;
}

export class Text {
  value = '';
  spans: Span[] = [];

  /** Adds words, as an entity of `type` if given. Surrounding white space is not part of it. */
  add(words: string, type?: TaggedType): this {
    const start = this.value.length + (words.length - words.trimStart().length);
    this.value += words;
    const end = this.value.trimEnd().length;
    if (type && end > start) this.spans.push({ type, start, end });
    return this;
  }

  append(other: Text): this {
    const by = this.value.length;
    this.value += other.value;
    for (const { type, start, end } of other.spans) {
      this.spans.push({ type, start: start + by, end: end + by });
    }
    return this;
  }

  /** Maps the letters of the text, unless that would change its length. */
  recase(change: (words: string) => string): this {
    const changed = [...this.value]
      .map((letter) => (change(letter).length === letter.length ? change(letter) : letter))
      .join('');
    if (changed.length === this.value.length) this.value = changed;
    return this;
  }

  /**
   * Joins a street and the postcode, town or country that follows it into one address, and a first
   * name and a surname into one name.
   */
  joinParts(): this {
    const joined: Span[] = [];
    for (const span of this.spans) {
      const before = joined.at(-1);
      const goesOn = span.type === 'ADDRESS' || span.type === 'LOCATION';
      const between = before ? this.value.slice(before.end, span.start) : '';
      const isName = before?.type === 'PERSON' && span.type === 'PERSON' && between === ' ';
      if (before && isName) before.end = span.end;
      else if (
        before?.type === 'ADDRESS' &&
        goesOn &&
        /^[\s,.–-]{1,4}$/.test(between) &&
        !/\n\s*\n/.test(between)
      )
        before.end = span.end;
      else joined.push({ ...span });
    }
    this.spans = joined;
    return this;
  }

  last(): string {
    return this.value.at(-1) ?? '';
  }
}
