/*
 * Limits the work of micromark on hostile text. Some constructs take time that is quadratic in the
 * length of a paragraph, and nested blocks use stack. Beyond a limit, the characters of such a
 * construct are plain text: nothing is lost, and the parsing time is linear in the size of the
 * file.
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
import { oncePer } from '../../once.ts';

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
const maxSearched = 500_000;
/** The maximum number of tokens of a paragraph. Joining the plain text between them is slow. */
const maxTokens = 100_000;

type UsedWork = { runs: number; reread: number; searched: number };

/** The work used so far, by paragraph. micromark has one tokenizer per paragraph. */
const usedByContext = new WeakMap<TokenizeContext, UsedWork>();

function usedWorkOf(context: TokenizeContext): UsedWork {
  const used = usedByContext.get(context) ?? { runs: 0, reread: 0, searched: 0 };
  usedByContext.set(context, used);
  return used;
}

type Guard = (construct: Construct) => Construct['tokenize'];

const limitNesting: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    return this.now().column > maxContainerColumn ? nok : tokenize.call(this, effects, ok, nok);
  };

const limitRuns: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = usedWorkOf(this);
    use.runs += 1;
    return use.runs > maxRuns ? nok : tokenize.call(this, effects, ok, nok);
  };

/** Limits text that is read to the end of the paragraph before it proves to have no end. */
const limitFailedReads: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = usedWorkOf(this);
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
const limitLabels: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = usedWorkOf(this);
    const open = this._labelStarts?.findLast((start) => !start._balanced);
    if (open && !open._inactive) use.reread += this.now().offset - open.end.offset;
    return use.reread > maxReread ? nok : tokenize.call(this, effects, ok, nok);
  };

const limitSearches: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    const use = usedWorkOf(this);
    use.searched += this.events.length;
    return use.searched > maxSearched ? nok : tokenize.call(this, effects, ok, nok);
  };

const guards: Readonly<Record<string, Guard>> = {
  attention: limitRuns,
  blockQuote: limitNesting,
  codeText: limitFailedReads,
  gfmFootnoteDefinition: limitNesting,
  gfmPotentialFootnoteCall: limitSearches,
  htmlText: limitFailedReads,
  labelEnd: limitLabels,
  list: limitNesting,
  protocolAutolink: limitSearches,
  strikethrough: limitRuns,
  wwwAutolink: limitSearches,
};

const limitTokens: Guard = ({ tokenize }) =>
  function (effects, ok, nok) {
    return this.events.length > maxTokens ? nok : tokenize.call(this, effects, ok, nok);
  };

function withGuard(construct: Construct): Construct {
  const guard = guards[construct.name ?? ''];
  return guard ? { ...construct, tokenize: guard(construct) } : construct;
}

const withTokenLimit = (construct: Construct): Construct => ({
  ...construct,
  tokenize: limitTokens(construct),
});

/**
 * Renames a construct, because the original is disabled by its name. If the original continues with
 * itself, as a list does with its next item, the copy continues with itself instead, so that the
 * limits still apply.
 */
function rename(construct: Construct, original: Construct): Construct {
  const copy: Construct =
    construct.name === undefined ? construct : { ...construct, name: `bounded ${construct.name}` };
  const next = construct.continuation;
  if (!next) return copy;
  const tokenize: Tokenizer = function (effects, ok, nok) {
    const attempt: Effects['attempt'] = (requested, ...states) =>
      effects.attempt(requested === original ? continued : requested, ...states);
    return next.tokenize.call(this, { ...effects, attempt }, ok, nok);
  };
  const continued: Construct = { ...copy, continuation: { ...next, tokenize } };
  return continued;
}

function mapConstructs(
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

const byCharacter = (characters: string, construct: Construct): ConstructRecord =>
  Object.fromEntries([...characters].map((character) => [character.charCodeAt(0), construct]));

/** Returns an extension with limits for its constructs. */
export const withBounds = (extension: Extension): Extension => ({
  ...extension,
  // micromark resolves a construct once, even if several characters start it.
  document: mapConstructs(
    extension.document,
    oncePer((construct) => rename(withGuard(construct), construct)),
  ),
  text: mapConstructs(
    extension.text,
    oncePer((construct) => rename(withTokenLimit(withGuard(construct)), construct)),
  ),
});

/** The constructs of CommonMark with limits for those that need them. */
export const boundedCommonMark: Extension = {
  ...withBounds({
    document: { ...byCharacter('>', blockQuote), ...byCharacter('*+-0123456789', list) },
    text: {
      ...byCharacter('!', labelStartImage),
      ...byCharacter('*_', attention),
      ...byCharacter('<', htmlText),
      ...byCharacter('[', labelStartLink),
      ...byCharacter(']', labelEnd),
      ...byCharacter('`', codeText),
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
