/** The kinds of parts of a format. Parts of any other kind are reported as unread. */
export type PartKinds = {
  read: ReadonlySet<string>;
  /** Kinds without text that readers of the document see. */
  harmless: ReadonlySet<string>;
};

/** Collects the kinds of parts that a reader finds but does not read, each once. */
export type UnreadKinds = { add(kind: string): void; kinds(): string[] };

/** The kind of content that is nested too deeply to be read, as in crafted files. */
export const deepNestingKind = 'deeply nested content';

const maxKinds = 50;

export function createUnreadKinds(): UnreadKinds {
  const kindNames = new Set<string>();
  return {
    add(kind) {
      if (kindNames.size < maxKinds) kindNames.add(isKind(kind) ? kind : 'unknown');
    },
    kinds: () => [...kindNames].sort(),
  };
}

/** Whether a kind is short and plain enough to be shown. Files can contain any name. */
export const isKind = (value: string): boolean => /^[A-Za-z][\w .+/-]{0,79}$/.test(value);

/** Splits names at white space and returns them as a set. */
export const nameSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
