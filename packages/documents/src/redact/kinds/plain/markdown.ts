import { parseFragment } from 'parse5';
import { decode, encode } from '../../../files/encoding/index.ts';
import { isActiveLink } from '../../../files/links.ts';
import { attributeUse, knownElements, removedElements } from '../html/attributes.ts';
import { type FileReading, newStream, type Piece, piece, type Stream } from '../stream.ts';
import { anglesInCode } from './code-angles.ts';
import { readableTarget, redactedTarget } from './links.ts';

/** The parts of the output, in order: unchanged syntax, and pieces with their source form. */
type OutputPart = { raw: string; piece: Piece | null; isInline: boolean };

interface MarkdownOutput {
  parts: OutputPart[];
  body: Stream;
  hidden: Stream;
  names: Stream;
}

const tokens: readonly [RegExp, (writing: MarkdownOutput, match: RegExpExecArray) => void][] = [
  [/^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?=\r?\n|$)/y, addLines],
  [
    /(?<=^|\n) {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n {0,3}\1[`~]*[ \t]*(?=\r?\n|$)|[\s\S]*$)/y,
    addLines,
  ],
  [/\r\n|\n|\r/y, (to, [raw]) => to.body.parts.push(addSyntax(to, raw))],
  [/(?<=^|\n)[ \t]*(?:>[ \t]?)+/y, (to, [raw]) => addSyntax(to, raw)],
  [/(?<=^|\n)( {0,3}\[)([^\]\n]{1,999})(\]:[ \t]*(?:\r?\n)?[ \t]*)/y, addDefinition],
  [/\]\(/y, addInlineLink],
  [/<!--[\s\S]*?(?:-->|$)/y, () => {}],
  [/<[?!][^<>]{0,2048}>/y, () => {}],
  [/<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy, addAutolink],
  [/<(\/?)([a-z][a-z0-9]*)(?![^\s/>])([^<>]{0,2048})>/iy, addTag],
  [/\\[!-/:-@[-`{-~]/y, (to, [raw]) => addText(to, raw, raw.slice(1))],
  [
    /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/iy,
    (to, [raw]) => addText(to, raw, decodeEntities(raw)),
  ],
  [/\*+|~~|`+|_+(?!\w)|(?<!\w)_+/y, (to, [raw]) => addSyntax(to, raw, true)],
  [/[^\r\n\\<&*~`_\]]+|[\s\S]/y, (to, [raw]) => addText(to, raw, raw)],
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
  const writing: MarkdownOutput = {
    parts: [],
    body: newStream(1),
    hidden: newStream(null),
    names: newStream(null, { detect: false }),
  };
  const codeAngles = anglesInCode(source);
  for (let at = 0; at < source.length; ) {
    if (codeAngles.has(at)) {
      addText(writing, '<', '<');
      at += 1;
      continue;
    }
    const end = endOfRemovedBlock(source, at);
    if (end !== null) {
      at = end;
      continue;
    }
    for (const [token, add] of tokens) {
      token.lastIndex = at;
      const match = token.exec(source);
      if (!match || match[0] === '') continue;
      add(writing, match);
      at += match[0].length;
      break;
    }
  }
  return {
    pages: 1,
    streams: [writing.body, writing.hidden, writing.names],
    pictures: 0,
    write: () => encode(writeOutput(writing.parts), encoding),
  };
}

function endOfRemovedBlock(source: string, at: number): number | null {
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
function writeOutput(parts: readonly OutputPart[]): string {
  let out = '';
  for (let index = 0; index < parts.length; index += 1) {
    const { raw, piece: textPiece, isInline } = parts[index]!;
    if (isInline && /^[*_~`]+$/.test(raw)) {
      let next = index + 1;
      while (parts[next]?.piece?.redacted === '') next += 1;
      if (next > index + 1 && parts[next]?.isInline && parts[next]?.raw === raw) {
        index = next;
        continue;
      }
    }
    out += textPiece?.redacted ?? raw;
  }
  return out;
}

/**
 * Adds syntax that is written unchanged, and returns it.
 * @param isInline whether the syntax does not separate words
 */
function addSyntax({ parts }: MarkdownOutput, raw: string, isInline = false): string {
  parts.push({ raw, piece: null, isInline });
  return raw;
}

function addText({ parts, body }: MarkdownOutput, raw: string, decoded: string): void {
  const added = piece(decoded);
  parts.push({ raw, piece: added, isInline: false });
  body.parts.push(added);
}

function addHidden(
  to: MarkdownOutput,
  raw: string,
  decoded: string,
  whole: string | null,
  isName = false,
): void {
  const added = piece(decoded, whole);
  to.parts.push({ raw, piece: added, isInline: false });
  (isName ? to.names : to.hidden).parts.push(added, '\n');
}

function addLines(to: MarkdownOutput, [raw]: RegExpExecArray): void {
  for (const part of raw.split(/(\r\n|\n|\r)/)) {
    if (/^[\r\n]/.test(part)) to.body.parts.push(addSyntax(to, part));
    else addText(to, part, part);
  }
}

const targetPattern = /<([^<>\n]*)>|(?:[^\s()]|\((?:[^\s()]|\([^\s()]*\))*\))+/y;
const titlePattern =
  /([ \t]*\r?\n?[ \t]*)("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\))/y;

/** Adds the target and title of a link, which are read from the source. */
function addTarget(to: MarkdownOutput, match: RegExpExecArray): void {
  targetPattern.lastIndex = match.index + match[0].length;
  const found = targetPattern.exec(match.input);
  if (!found) return;
  const inner = decodeEntities((found[1] ?? found[0]).replace(/\\([!-/:-@[-`{-~])/g, '$1'));
  match[0] += found[0];
  if (isActiveLink(inner)) addSyntax(to, redactedTarget);
  else addHidden(to, found[0], readableTarget(inner), redactedTarget);
  titlePattern.lastIndex = match.index + match[0].length;
  const title = titlePattern.exec(match.input);
  if (!title) return;
  const [raw, space = '', quoted = ''] = title;
  addSyntax(to, space + quoted[0]);
  const inside = quoted.slice(1, -1);
  addHidden(to, inside, decodeEntities(inside), null);
  addSyntax(to, quoted.at(-1) ?? '');
  match[0] += raw;
}

function addInlineLink(to: MarkdownOutput, match: RegExpExecArray): void {
  addSyntax(to, match[0]);
  addTarget(to, match);
}

function addDefinition(to: MarkdownOutput, match: RegExpExecArray): void {
  const [, open = '', name = '', close = ''] = match;
  addSyntax(to, open);
  addText(to, name, name);
  addSyntax(to, close);
  addTarget(to, match);
}

/**
 * Adds an address in angle brackets, which is visible. Encoded addresses are decoded for reading.
 */
function addAutolink(to: MarkdownOutput, [raw]: RegExpExecArray): void {
  const inner = raw.slice(1, -1);
  if (isActiveLink(inner)) return;
  addSyntax(to, '<');
  addText(to, inner, readableTarget(inner));
  addSyntax(to, '>');
}

/** Adds an HTML tag. A tag with an unknown name is text in angle brackets. */
function addTag(
  to: MarkdownOutput,
  [raw, slash = '', name = '', rest = '']: RegExpExecArray,
): void {
  const element = name.toLowerCase();
  if (removedElements.has(element)) return;
  if (!knownElements.has(element)) {
    addText(to, raw, raw);
    return;
  }
  addSyntax(to, `<${slash}${name}`, true);
  for (const [, key = '', value] of rest.matchAll(
    /([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g,
  )) {
    addAttribute(to, element, key.toLowerCase(), value);
  }
  addSyntax(to, rest.trimEnd().endsWith('/') ? ' />' : '>', true);
}

function addAttribute(
  to: MarkdownOutput,
  element: string,
  key: string,
  value: string | undefined,
): void {
  const decoded = decodeEntities((value ?? '').replace(/^(["'])([\s\S]*)\1$/, '$2'));
  const use = attributeUse(element, key, decoded);
  if (use === 'drop' || isActiveLink(decoded)) return;
  addSyntax(to, ' ', true);
  addHidden(to, key, key, 'data-redacted', true);
  if (value === undefined) return;
  addSyntax(to, '="', true);
  const escaped = decoded.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  if (use === 'keep') addSyntax(to, escaped, true);
  else if (use === 'target') addHidden(to, escaped, readableTarget(decoded), redactedTarget);
  else addHidden(to, escaped, decoded, null, use === 'name');
  addSyntax(to, '"', true);
}

/** Decodes entities in the same way as HTML. */
function decodeEntities(raw: string): string {
  if (!raw.includes('&')) return raw;
  const [node] = parseFragment(`<textarea>${raw.replaceAll('<', '&lt;')}</textarea>`).childNodes;
  const content = node && 'childNodes' in node ? node.childNodes[0] : undefined;
  return content && 'value' in content ? content.value : raw;
}
