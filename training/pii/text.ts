import type { TaggedType } from '../../src/engines/pii/tagger/labels.ts';

/** A text with its entities, as it grows; ends are exclusive, in UTF-16 units. */
export interface Span {
  type: TaggedType;
  start: number;
  end: number;
}

export class Text {
  value = '';
  spans: Span[] = [];

  /** Adds words that are of `type`, or of none. White space around them stays outside. */
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

  /** The same with other letters, as long as none becomes two; else unchanged. */
  recase(change: (words: string) => string): this {
    const changed = [...this.value]
      .map((letter) => (change(letter).length === letter.length ? change(letter) : letter))
      .join('');
    if (changed.length === this.value.length) this.value = changed;
    return this;
  }

  /** Makes one address of a street and the code, town or country that follow it without a word between. */
  joinAddresses(): this {
    const joined: Span[] = [];
    for (const span of this.spans) {
      const before = joined.at(-1);
      const goesOn = span.type === 'ADDRESS' || span.type === 'LOCATION';
      const between = before ? this.value.slice(before.end, span.start) : '';
      if (before?.type === 'ADDRESS' && goesOn && /^[\s,.–-]{1,4}$/.test(between))
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
