/** The formatting of text. */
export type CharacterFormat = {
  font: number;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  script: 'superscript' | 'subscript' | null;
  hidden: boolean;
  deleted: boolean;
};

export const defaultFormat: CharacterFormat = {
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
  destination:
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
  format: CharacterFormat;
  /** The number of fallback characters after a Unicode character, for programs without Unicode. */
  unicodeSkip: number;
  /** Whether no control word of the group has been read yet. */
  isNew: boolean;
  isIgnorable: boolean;
  opens: 'note' | 'instruction' | 'header' | 'footer' | 'box' | null;
  /** The link of the text, shared by the groups of a field. */
  href: { code: string; value: string | null };
};

export const rootGroup: Group = {
  destination: 'text',
  unread: null,
  format: defaultFormat,
  unicodeSkip: 1,
  isNew: true,
  isIgnorable: false,
  opens: null,
  href: { code: '', value: null },
};

/** Returns a group nested in another group. */
export const nestedIn = (group: Group): Group => ({
  ...group,
  isNew: true,
  isIgnorable: false,
  opens: null,
});
