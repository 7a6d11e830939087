/*
 * Limits on the work that micromark does for hostile text. The time of some constructs grows with
 * the square of a paragraph's length, and nested blocks use stack. Beyond a limit, the characters
 * of such a construct are plain text: nothing is lost, and the parsing time is linear in the file
 * size.
 */
import {
  attention,
  blockQuote,
  codeText,
  htmlText,
  labelEnd,
  labelStartImage,
  labelStartLink,
  list,
} from 'micromark-core-commonmark';
import type {
  Construct,
  ConstructRecord,
  Effects,
  Extension,
  State,
  TokenizeContext,
  Tokenizer,
} from 'micromark-util-types';

/**
 * The maximum column in which quotes, items and footnotes may begin. Each level takes at least one
 * column.
 */
const maxContainerColumn = 100;
/**
 * The maximum number of runs of `*`, `_` and `~` in a paragraph. micromark compares each run with
 * all previous runs.
 */
const maxRuns = 1000;
/** The maximum number of characters of a paragraph that are read more than once. */
const maxReread = 200_000;
/** The maximum number of tokens of a paragraph that are searched for an open bracket. */
const maxWalked = 500_000;
/** The maximum number of tokens of a paragraph. Joining the plain text between them is slow. */
const maxTokens = 100_000;

type Use = { runs: number; reread: number; walked: number };

/** The used part of the limits, by paragraph. micromark has one tokenizer per paragraph. */
const uses = new WeakMap<TokenizeContext, Use>();

function useOf(context: TokenizeContext): Use {
  const found = uses.get(context) ?? { runs: 0, reread: 0, walked: 0 };
  uses.set(context, found);
  return found;
}

type Guard = (construct: Construct) => Construct['tokenize'];

const nesting: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    return this.now().column > maxContainerColumn ? nok : tokenize.call(this, effects, ok, nok);
  };

const runs: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = useOf(this);
    use.runs += 1;
    return use.runs > maxRuns ? nok : tokenize.call(this, effects, ok, nok);
  };

/** Limits text that is read to the end of the paragraph before it proves to have no end. */
const failedReads: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = useOf(this);
    if (use.reread > maxReread) return nok;
    const start = this.now().offset;
    const failed: State = (code) => {
      use.reread += this.now().offset - start;
      return nok(code);
    };
    return tokenize.call(this, effects, ok, failed);
  };

/**
 * Limits comparisons with link definitions: each `]` compares the text since its `[` with their
 * names.
 */
const labels: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = useOf(this);
    const open = this._labelStarts?.findLast((start) => !start._balanced);
    if (open && !open._inactive) use.reread += this.now().offset - open.end.offset;
    return use.reread > maxReread ? nok : tokenize.call(this, effects, ok, nok);
  };

const walks: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = useOf(this);
    use.walked += this.events.length;
    return use.walked > maxWalked ? nok : tokenize.call(this, effects, ok, nok);
  };

const guards: Readonly<Record<string, Guard>> = {
  attention: runs,
  blockQuote: nesting,
  codeText: failedReads,
  gfmFootnoteDefinition: nesting,
  gfmPotentialFootnoteCall: walks,
  htmlText: failedReads,
  labelEnd: labels,
  list: nesting,
  protocolAutolink: walks,
  strikethrough: runs,
  wwwAutolink: walks,
};

const crowding: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    return this.events.length > maxTokens ? nok : tokenize.call(this, effects, ok, nok);
  };

function guarded(construct: Construct): Construct {
  const guard = guards[construct.name ?? ''];
  return guard ? { ...construct, tokenize: guard(construct) } : construct;
}

const crowded = (construct: Construct): Construct => ({
  ...construct,
  tokenize: crowding(construct),
});

/**
 * Renames a construct, because the original is disabled by its name. If the original continues with
 * itself, as a list does with its next item, the copy continues with itself instead, so that the
 * limits still apply.
 */
function renamed(construct: Construct, original: Construct): Construct {
  const own: Construct =
    construct.name === undefined ? construct : { ...construct, name: `bounded ${construct.name}` };
  const next = construct.continuation;
  if (!next) return own;
  const tokenize: Tokenizer = function (effects, ok, nok) {
    const attempt: Effects['attempt'] = (asked, ...states) =>
      effects.attempt(asked === original ? continued : asked, ...states);
    return next.tokenize.call(this, { ...effects, attempt }, ok, nok);
  };
  const continued: Construct = { ...own, continuation: { ...next, tokenize } };
  return continued;
}

/**
 * Changes each construct once, even if several characters start it: micromark resolves each one
 * once.
 */
function once(change: (construct: Construct) => Construct): (construct: Construct) => Construct {
  const changed = new Map<Construct, Construct>();
  return (construct) => {
    const known = changed.get(construct) ?? change(construct);
    changed.set(construct, known);
    return known;
  };
}

function each(
  record: ConstructRecord | undefined,
  change: (construct: Construct) => Construct,
): ConstructRecord {
  return Object.fromEntries(
    Object.entries(record ?? {}).map(([code, constructs]) => [
      code,
      [constructs ?? []].flat().map(change),
    ]),
  );
}

const atEach = (characters: string, construct: Construct): ConstructRecord =>
  Object.fromEntries([...characters].map((character) => [character.charCodeAt(0), construct]));

/** Returns an extension with limits for its constructs. */
export const withBounds = (extension: Extension): Extension => ({
  ...extension,
  document: each(
    extension.document,
    once((construct) => renamed(guarded(construct), construct)),
  ),
  text: each(
    extension.text,
    once((construct) => renamed(crowded(guarded(construct)), construct)),
  ),
});

/** The constructs of CommonMark with limits for those that need them. */
export const boundedCommonMark: Extension = {
  ...withBounds({
    document: { ...atEach('>', blockQuote), ...atEach('*+-0123456789', list) },
    text: {
      ...atEach('!', labelStartImage),
      ...atEach('*_', attention),
      ...atEach('<', htmlText),
      ...atEach('[', labelStartLink),
      ...atEach(']', labelEnd),
      ...atEach('`', codeText),
    },
  }),
  disable: {
    null: [
      attention,
      blockQuote,
      codeText,
      htmlText,
      labelEnd,
      labelStartImage,
      labelStartLink,
      list,
    ].flatMap(({ name }) => name ?? []),
  },
};
