/*
 * Formulas between dollar signs, as Pandoc reads them. `micromark-extension-math` would read "$5
 * and $6" as a formula, and also all text below a line that starts with an unclosed `$$`. It also
 * loads KaTeX, which takes 22 ms and is not needed here. The tokens are those of the extension, so
 * that `mdast-util-math` understands them.
 */
import type { Code, Construct, Extension, State, Token, Tokenizer } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathText: 'mathText';
    mathTextSequence: 'mathTextSequence';
    mathTextData: 'mathTextData';
    mathFlow: 'mathFlow';
    mathFlowFence: 'mathFlowFence';
    mathFlowFenceSequence: 'mathFlowFenceSequence';
    mathFlowValue: 'mathFlowValue';
  }
}

const dollar = 36;
const backslash = 92;
/** The maximum length of an inline formula. */
const maxLength = 1024;

/** micromark represents line endings and the columns of tabs as negative codes. */
const isLineEnding = (code: Code): boolean => code !== null && code < -2;
const isBlank = (code: Code): boolean => code === null || code < 0 || code === 32;
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57;

/**
 * `$x$` and `$$x$$`, without a space after the opening sign or before a closing `$`, and without a
 * digit after the closing sign.
 */
const tokenizeText: Tokenizer = (effects, ok, nok) => {
  let openingSigns = 0;
  let length = 0;
  let previous: Code = null;
  let closing: Token;
  let closingSigns = 0;

  const start: State = (code) => {
    effects.enter('mathText');
    effects.enter('mathTextSequence');
    return open(code);
  };
  const open: State = (code) => {
    if (code === dollar && openingSigns < 2) {
      openingSigns += 1;
      effects.consume(code);
      return open;
    }
    effects.exit('mathTextSequence');
    return isBlank(code) || code === dollar ? nok(code) : between(code);
  };
  const between: State = (code) => {
    if (code === null || length > maxLength) return nok(code);
    if (isLineEnding(code)) {
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      previous = code;
      return between;
    }
    if (code === dollar && previous !== backslash) {
      closing = effects.enter('mathTextSequence');
      closingSigns = 0;
      return close(code);
    }
    effects.enter('mathTextData');
    return inside(code);
  };
  const inside: State = (code) => {
    const isClosing = code === dollar && previous !== backslash;
    if (code === null || isLineEnding(code) || isClosing || length > maxLength) {
      effects.exit('mathTextData');
      return between(code);
    }
    length += 1;
    previous = code;
    effects.consume(code);
    return inside;
  };
  const close: State = (code) => {
    if (code === dollar && closingSigns < openingSigns) {
      closingSigns += 1;
      effects.consume(code);
      return close;
    }
    const isEnd =
      closingSigns === openingSigns &&
      (openingSigns === 2 || (!isBlank(previous) && !isDigit(code)));
    if (isEnd) {
      effects.exit('mathTextSequence');
      effects.exit('mathText');
      return ok(code);
    }
    if (openingSigns === 1) return nok(code);
    closing.type = 'mathTextData';
    length += closingSigns;
    previous = dollar;
    return inside(code);
  };
  return start;
};

const mathText: Construct = { name: 'mathText', tokenize: tokenizeText };

/**
 * A block from a line that starts with `$$` to a line that ends with `$$`, without an empty line.
 */
const tokenizeFlow: Tokenizer = function (effects, ok, nok) {
  let signs = 0;
  let lines = 0;
  let hasText = false;
  let hasEnded = false;

  const start: State = (code) => {
    effects.enter('mathFlow');
    effects.enter('mathFlowFence');
    effects.enter('mathFlowFenceSequence');
    return open(code);
  };
  const open: State = (code) => {
    if (code === dollar && signs < 2) {
      signs += 1;
      effects.consume(code);
      return open;
    }
    if (signs < 2 || code === dollar) return nok(code);
    effects.exit('mathFlowFenceSequence');
    effects.exit('mathFlowFence');
    // If a formula would interrupt a paragraph, only its first line is available to decide.
    return this.interrupt ? ok(code) : startOfText(code);
  };
  const startOfText: State = (code) => {
    hasText = false;
    hasEnded = false;
    signs = 0;
    if (code === null || isLineEnding(code)) return endOfLine(code);
    effects.enter('mathFlowValue');
    return text(code);
  };
  const text: State = (code) => {
    if (code === null || isLineEnding(code)) {
      effects.exit('mathFlowValue');
      return endOfLine(code);
    }
    if (!isBlank(code)) {
      hasText = true;
      signs = code === dollar ? signs + 1 : 0;
      hasEnded = signs >= 2;
    }
    effects.consume(code);
    return text;
  };
  const endOfLine: State = (code) => {
    if (hasEnded) {
      effects.exit('mathFlow');
      return ok(code);
    }
    if (code === null || (lines > 0 && !hasText)) return nok(code);
    lines += 1;
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return startOfLine;
  };
  const startOfLine: State = (code) => {
    if (this.parser.lazy[this.now().line] || isLineEnding(code)) return nok(code);
    return startOfText(code);
  };
  return start;
};

const mathFlow: Construct = { name: 'mathFlow', tokenize: tokenizeFlow, concrete: true };

export const dollarMath: Extension = {
  flow: { [dollar]: mathFlow },
  text: { [dollar]: mathText },
};
