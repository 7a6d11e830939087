/** The formatting of text. */
export type Look = {
  font: number;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  script: 'superscript' | 'subscript' | null;
  hidden: boolean;
  deleted: boolean;
};

export const plainLook: Look = {
  font: -1,
  bold: false,
  italic: false,
  strike: false,
  script: null,
  hidden: false,
  deleted: false,
};

/** A group of RTF, with the purpose and formatting of its text. */
export type Group = {
  place:
    | 'text'
    | 'unseen'
    | 'frame'
    | 'fonts'
    | 'stylesheet'
    | 'marker'
    | 'instruction'
    | 'title'
    | 'author';
  /** The destination to report if the group has text, which is not read; null for none. */
  unread: string | null;
  look: Look;
  /** The number of fallback characters after a Unicode character, for programs without Unicode. */
  fallback: number;
  /** Whether no control word of the group has been read yet. */
  isNew: boolean;
  isStarred: boolean;
  opens: 'note' | 'instruction' | 'header' | 'footer' | 'box' | null;
  /** The link of the text, shared by the groups of a field. */
  href: { code: string; value: string | null };
};

export const outermost: Group = {
  place: 'text',
  unread: null,
  look: plainLook,
  fallback: 1,
  isNew: true,
  isStarred: false,
  opens: null,
  href: { code: '', value: null },
};

/** Returns a group nested in another group. */
export const inner = (group: Group): Group => ({
  ...group,
  isNew: true,
  isStarred: false,
  opens: null,
});
