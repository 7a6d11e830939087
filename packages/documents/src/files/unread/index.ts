/** The treatment of a format's parts, by kind. Parts of any other kind are reported. */
export type PartKinds = {
  read: ReadonlySet<string>;
  /** Kinds without text that readers of the document see. */
  harmless: ReadonlySet<string>;
};

/** The kinds of parts that a reader finds but does not read, each once. */
export type Unread = { add(kind: string): void; kinds(): string[] };

/** Content nested so deeply that the file was made for it. */
export const tooDeep = 'deeply nested content';

const maxKinds = 50;

export function createUnread(): Unread {
  const found = new Set<string>();
  return {
    add(kind) {
      if (found.size < maxKinds) found.add(isKind(kind) ? kind : 'unknown');
    },
    kinds: () => [...found].sort(),
  };
}

/** Whether a kind is short and plain enough to be shown. Files can contain any name. */
export const isKind = (value: string): boolean => /^[A-Za-z][\w .+/-]{0,79}$/.test(value);

/** Splits names at white space and returns them as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
