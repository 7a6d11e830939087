/** How a reader treats the parts of a format, by kind. Any other part is reported. */
export type PartKinds = {
  read: ReadonlySet<string>;
  /** Without text that readers of the document see. */
  harmless: ReadonlySet<string>;
};

/** Collects the kinds of parts that a reader found and did not read. */
export type Unread = { add(kind: string): void; kinds(): string[] };

/** Reported for content that is nested deeper than any reader follows. */
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

/** Whether a kind is short and plain enough to be shown: files can contain any name. */
export const isKind = (value: string): boolean => /^[A-Za-z][\w .+/-]{0,79}$/.test(value);

/** Names separated by white space, as a set. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
