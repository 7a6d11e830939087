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

/** A group of RTF: the purpose of its text, and its formatting. */
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
  /** The destination that is reported if it has text, which is not read. */
  unread: string | null;
  look: Look;
  /** Letters after a Unicode character for programs that do not know it. */
  fallback: number;
  /** No control word has been read in it. */
  isNew: boolean;
  isStarred: boolean;
  opens: 'note' | 'instruction' | 'header' | 'footer' | 'box' | null;
  /** The link that the text belongs to, shared by the groups of its field. */
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
