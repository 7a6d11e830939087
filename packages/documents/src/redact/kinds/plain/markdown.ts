import { parseFragment } from 'parse5';
import { decode, encode } from '../../../files/encoding/index.ts';
import { isActive } from '../../../files/links.ts';
import { attributeUse, knownElements, removedElements } from '../html/attributes.ts';
import { type FileReading, newStream, type Piece, piece, type Stream } from '../stream.ts';
import { anglesInCode } from './code.ts';
import { readableTarget, redactedTarget } from './links.ts';

/** The parts of the output, in order: unchanged syntax, and pieces with their source form. */
type Written = { raw: string; piece: Piece | null; silent: boolean };

interface Writing {
  written: Written[];
  body: Stream;
  hidden: Stream;
  names: Stream;
}

const tokens: readonly [RegExp, (writing: Writing, match: RegExpExecArray) => void][] = [
  [/^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?=\r?\n|$)/y, lines],
  [
    /(?<=^|\n) {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n {0,3}\1[`~]*[ \t]*(?=\r?\n|$)|[\s\S]*$)/y,
    lines,
  ],
  [/\r\n|\n|\r/y, (to, [raw]) => to.body.parts.push(syntax(to, raw))],
  [/(?<=^|\n)[ \t]*(?:>[ \t]?)+/y, (to, [raw]) => syntax(to, raw)],
  [/(?<=^|\n)( {0,3}\[)([^\]\n]{1,999})(\]:[ \t]*(?:\r?\n)?[ \t]*)/y, definition],
  [/\]\(/y, inlineLink],
  [/<!--[\s\S]*?(?:-->|$)/y, () => {}],
  [/<[?!][^<>]{0,2048}>/y, () => {}],
  [/<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy, autolink],
  [/<(\/?)([a-z][a-z0-9]*)(?![^\s/>])([^<>]{0,2048})>/iy, tag],
  [/\\[!-/:-@[-`{-~]/y, (to, [raw]) => text(to, raw, raw.slice(1))],
  [
    /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/iy,
    (to, [raw]) => text(to, raw, unescaped(raw)),
  ],
  [/\*+|~~|`+|_+(?!\w)|(?<!\w)_+/y, (to, [raw]) => syntax(to, raw, true)],
  [/[^\r\n\\<&*~`_\]]+|[\s\S]/y, (to, [raw]) => text(to, raw, raw)],
];

/** Block-level HTML elements that Markdown may contain. They are removed with their content. */
const removedBlock = /<(script|style|iframe|object|embed|applet|noembed|noframes)\b/iy;

/**
 * Reads Markdown (CommonMark): text without emphasis marks, with escapes and entities decoded;
 * targets and titles of links; definitions; code and front matter line by line. HTML is read as
 * HTML, unless it is shown as code.
 * @throws EngineError if the file cannot be decoded
 */
export function readMarkdown(bytes: Uint8Array): FileReading {
  const { text: source, encoding } = decode(bytes);
  const writing: Writing = {
    written: [],
    body: newStream(1),
    hidden: newStream(null),
    names: newStream(null, { detect: false }),
  };
  const shown = anglesInCode(source);
  for (let at = 0; at < source.length; ) {
    if (shown.has(at)) {
      text(writing, '<', '<');
      at += 1;
      continue;
    }
    const end = endOfRemoved(source, at);
    if (end !== null) {
      at = end;
      continue;
    }
    for (const [token, take] of tokens) {
      token.lastIndex = at;
      const match = token.exec(source);
      if (!match || match[0] === '') continue;
      take(writing, match);
      at += match[0].length;
      break;
    }
  }
  return {
    pages: 1,
    streams: [writing.body, writing.hidden, writing.names],
    pictures: 0,
    write: () => encode(write(writing.written), encoding),
  };
}

function endOfRemoved(source: string, at: number): number | null {
  if (source[at] !== '<') return null;
  removedBlock.lastIndex = at;
  const name = removedBlock.exec(source)?.[1];
  if (name === undefined) return null;
  const close = new RegExp(`</${name}[^>]*>`, 'gi');
  close.lastIndex = at;
  return close.exec(source) ? close.lastIndex : source.length;
}

/**
 * Writes the output. Emphasis marks around removed text are also removed, because they would remain
 * visible as asterisks.
 */
function write(written: readonly Written[]): string {
  let out = '';
  for (let index = 0; index < written.length; index += 1) {
    const { raw, piece: own, silent } = written[index]!;
    if (silent && /^[*_~`]+$/.test(raw)) {
      let next = index + 1;
      while (written[next]?.piece?.redacted === '') next += 1;
      if (next > index + 1 && written[next]?.silent && written[next]?.raw === raw) {
        index = next;
        continue;
      }
    }
    out += own?.redacted ?? raw;
  }
  return out;
}

/**
 * Adds syntax that is written unchanged, and returns it.
 * @param silent whether the syntax does not separate words
 */
function syntax({ written }: Writing, raw: string, silent = false): string {
  written.push({ raw, piece: null, silent });
  return raw;
}

function text({ written, body }: Writing, raw: string, reads: string): void {
  const own = piece(reads);
  written.push({ raw, piece: own, silent: false });
  body.parts.push(own);
}

function hide(to: Writing, raw: string, reads: string, whole: string | null, names = false): void {
  const own = piece(reads, whole);
  to.written.push({ raw, piece: own, silent: false });
  (names ? to.names : to.hidden).parts.push(own, '\n');
}

function lines(to: Writing, [raw]: RegExpExecArray): void {
  for (const part of raw.split(/(\r\n|\n|\r)/)) {
    if (/^[\r\n]/.test(part)) to.body.parts.push(syntax(to, part));
    else text(to, part, part);
  }
}

const targetAt = /<([^<>\n]*)>|(?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\))+/y;
const titleAt =
  /([ \t]*\r?\n?[ \t]*)("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))/y;

/** Adds the target and title of a link, which are read from the source. */
function target(to: Writing, match: RegExpExecArray): void {
  targetAt.lastIndex = match.index + match[0].length;
  const found = targetAt.exec(match.input);
  if (!found) return;
  const inner = unescaped((found[1] ?? found[0]).replace(/\\([!-/:-@[-`{-~])/g, '$1'));
  match[0] += found[0];
  if (isActive(inner)) syntax(to, redactedTarget);
  else hide(to, found[0], readableTarget(inner), redactedTarget);
  titleAt.lastIndex = match.index + match[0].length;
  const title = titleAt.exec(match.input);
  if (!title) return;
  const [raw, space = '', quoted = ''] = title;
  syntax(to, space + quoted[0]);
  const inside = quoted.slice(1, -1);
  hide(to, inside, unescaped(inside), null);
  syntax(to, quoted.at(-1) ?? '');
  match[0] += raw;
}

function inlineLink(to: Writing, match: RegExpExecArray): void {
  syntax(to, match[0]);
  target(to, match);
}

function definition(to: Writing, match: RegExpExecArray): void {
  const [, open = '', name = '', close = ''] = match;
  syntax(to, open);
  text(to, name, name);
  syntax(to, close);
  target(to, match);
}

/**
 * Adds an address in angle brackets, which is visible. Encoded addresses are decoded for reading.
 */
function autolink(to: Writing, [raw]: RegExpExecArray): void {
  const inner = raw.slice(1, -1);
  if (isActive(inner)) return;
  syntax(to, '<');
  text(to, inner, readableTarget(inner));
  syntax(to, '>');
}

/** Adds an HTML tag. A tag with an unknown name is text in angle brackets. */
function tag(to: Writing, [raw, slash = '', name = '', rest = '']: RegExpExecArray): void {
  const element = name.toLowerCase();
  if (removedElements.has(element)) return;
  if (!knownElements.has(element)) {
    text(to, raw, raw);
    return;
  }
  syntax(to, `<${slash}${name}`, true);
  for (const [, key = '', value] of rest.matchAll(
    /([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g,
  )) {
    attribute(to, element, key.toLowerCase(), value);
  }
  syntax(to, rest.trimEnd().endsWith('/') ? ' />' : '>', true);
}

function attribute(to: Writing, element: string, key: string, value: string | undefined): void {
  const reads = unescaped((value ?? '').replace(/^(["'])([\s\S]*)\1$/, '$2'));
  const use = attributeUse(element, key, reads);
  if (use === 'drop' || isActive(reads)) return;
  syntax(to, ' ', true);
  hide(to, key, key, 'data-redacted', true);
  if (value === undefined) return;
  syntax(to, '="', true);
  const escaped = reads.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  if (use === 'keep') syntax(to, escaped, true);
  else if (use === 'target') hide(to, escaped, readableTarget(reads), redactedTarget);
  else hide(to, escaped, reads, null, use === 'name');
  syntax(to, '"', true);
}

/** Decodes entities in the same way as HTML. */
function unescaped(raw: string): string {
  if (!raw.includes('&')) return raw;
  const [node] = parseFragment(`<textarea>${raw.replaceAll('<', '&lt;')}</textarea>`).childNodes;
  const content = node && 'childNodes' in node ? node.childNodes[0] : undefined;
  return content && 'value' in content ? content.value : raw;
}
