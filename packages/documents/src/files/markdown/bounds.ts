/*
 * Limits on what micromark does with hostile text. Some of its constructs take time that grows with
 * the square of a paragraph, and nested blocks take stack. Beyond the limits the characters of such a
 * construct are plain text: nothing is lost, and reading takes time in proportion to the file.
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

/** Maximum column in which quotes, items and footnotes may begin: each takes at least one. */
const maxContainerColumn = 100;
/**
 * Maximum number of runs of `*`, `_` and `~` in a paragraph. Each is compared with all previous
 * ones.
 */
const maxRuns = 1000;
/** Maximum number of characters of a paragraph that are read more than once. */
const maxReread = 200_000;
/** Maximum number of tokens of a paragraph that are searched for an open bracket. */
const maxWalked = 500_000;
/**
 * Maximum number of tokens of a paragraph that are created: joining plain text between them takes
 * long.
 */
const maxTokens = 100_000;

type Use = { runs: number; reread: number; walked: number };

/** The part of its limits that a paragraph (micromark has a tokenizer for each) has used up. */
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

/** Text that is read up to the end of the paragraph and turns out to have no end. */
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

/** Each `]` has the text since its `[` compared with the names of link definitions. */
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
 * Under another name, because the original is disabled by its own name. Where the original
 * continues with another of its kind, as a list does with its next item, it asks for itself: it
 * gets the one with limits.
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

/** One per construct, for whatever characters it starts with: micromark resolves each once. */
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

/** The constructs of CommonMark that need limits, with their limits. */
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
