import { parseFragment } from 'parse5';
import { isActive } from '../../../files/links.ts';
import type { DocBlock, Mark, Span } from '../../document.ts';
import { addSpan, origin } from '../build.ts';
import { markOf } from '../html/elements.ts';

/** Where links by name lead, by the name in small letters. */
export type Definitions = ReadonlyMap<string, string>;

type Token =
  | { kind: 'text'; text: string; marks: readonly Mark[] }
  | { kind: 'break' }
  | { kind: 'run'; sign: string; count: number; opens: boolean; closes: boolean }
  | { kind: 'open'; image: boolean }
  | { kind: 'close'; href: string | null; image: boolean }
  | { kind: 'tag'; mark: Mark; opens: boolean };

/** Longer texts are searched for marks only this far ahead. */
const reach = 4096;

export const nameOf = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi, (entity) => {
    const [node] = parseFragment(entity).childNodes;
    return node && 'value' in node ? node.value : entity;
  });
}

const unescaped = (text: string): string =>
  decodeEntities(text.replace(/\\([!-/:-@[-`{-~])/g, '$1'));

const safe = (href: string): string | null => (href === '' || isActive(href) ? null : href);

const patterns: readonly [RegExp, (match: RegExpExecArray, to: Token[], state: State) => void][] = [
  [/\\([!-/:-@[-`{-~])/y, ([, sign = ''], to) => addText(to, sign)],
  [/(?: {2,}|\\)\r?\n[ \t]*/y, (_, to) => to.push({ kind: 'break' })],
  [/[ \t]*\r?\n[ \t]*/y, (_, to) => addText(to, ' ')],
  [/`+/y, codeSpan],
  [/\$\$?(?=[^\s$])/y, formula],
  [
    /<(https?:[^\s<>]{1,2048}|mailto:[^\s<>]{1,500})>/iy,
    ([, href = ''], to) => link(to, href, href),
  ],
  [/<([^\s<>@]{1,200}@[\w.-]{1,200})>/y, ([, mail = ''], to) => link(to, mail, `mailto:${mail}`)],
  [/<!--[\s\S]{0,4096}?-->/y, () => {}],
  [/<(\/?)([a-z][a-z0-9]*)\b([^<>]{0,2048})>/iy, tag],
  [
    /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/iy,
    ([all], to) => addText(to, decodeEntities(all)),
  ],
  [
    /\[\^([^\s\]]{1,100})\]/y,
    ([, label = ''], to) => to.push({ kind: 'text', text: label, marks: ['footnote'] }),
  ],
  [/(!?)\[/y, openLink],
  [/\]/y, closeLink],
  [/\*+|_+|~~?/y, emphasis],
  [/https?:\/\/[^\s<>"'`*\]]{1,2048}/y, bareLink],
  [/[^\\\r\n`$<&[\]*_~! h\t]+|[\s\S]/y, ([all], to) => addText(to, all)],
];

type State = {
  source: string;
  definitions: Definitions;
  at: number;
  /** Which tokens may begin a link, the innermost last. */
  opens: number[];
  /** Where the last link begins: there is none around it (CommonMark 6.3). */
  lastLink: number;
};

function addText(to: Token[], text: string, marks: readonly Mark[] = []): void {
  const last = to.at(-1);
  if (last?.kind === 'text' && last.marks.length === 0 && marks.length === 0) last.text += text;
  else to.push({ kind: 'text', text, marks });
}

function link(to: Token[], text: string, href: string): void {
  to.push({ kind: 'open', image: false });
  addText(to, text);
  to.push({ kind: 'close', href: safe(href), image: false });
}

/** A bare address ends before the marks of a sentence around it. */
function bareLink(match: RegExpExecArray, to: Token[], state: State): void {
  const [all] = match;
  const own = all.replace(/[.,;:!?)]+$/, (end) => (all.includes('(') && end === ')' ? end : ''));
  link(to, own, own);
  state.at = match.index + own.length;
}

function codeSpan(match: RegExpExecArray, to: Token[], state: State): void {
  const [fence] = match;
  const from = match.index + fence.length;
  const ahead = state.source.slice(from, from + reach);
  const end = new RegExp(`(?<!\`)${fence}(?!\`)`).exec(ahead);
  if (!end) {
    addText(to, fence);
    return;
  }
  const inner = ahead.slice(0, end.index).replace(/\r?\n/g, ' ');
  const text = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  to.push({ kind: 'text', text, marks: ['code'] });
  state.at = from + end.index + fence.length;
}

/** `$…$` as pandoc reads it: no blank inside the signs, no digit behind them. */
function formula(match: RegExpExecArray, to: Token[], state: State): void {
  const [sign] = match;
  const from = match.index + sign.length;
  const ahead = state.source.slice(from, from + 1024);
  const end = (sign === '$$' ? /(?<!\\)\$\$/ : /(?<![\\\s])\$(?!\d)/).exec(ahead);
  if (!end || /\n\s*\n/.test(ahead.slice(0, end.index))) {
    addText(to, sign);
    return;
  }
  to.push({ kind: 'text', text: ahead.slice(0, end.index), marks: ['formula'] });
  state.at = from + end.index + sign.length;
}

function tag([all, slash = '', name = '', rest = '']: RegExpExecArray, to: Token[]): void {
  const element = name.toLowerCase();
  const mark = markOf.get(element);
  if (element === 'br') to.push({ kind: 'break' });
  else if (mark) to.push({ kind: 'tag', mark, opens: slash === '' });
  else if (element === 'a') {
    const href = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(rest)?.[1] ?? '';
    if (slash === '') to.push({ kind: 'open', image: false });
    else to.push({ kind: 'close', href: null, image: false });
    const last = to.at(-1);
    if (last?.kind === 'open') pendingHref.set(last, safe(decodeEntities(href)));
  } else if (element === 'img') {
    const alt = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(rest);
    to.push({ kind: 'open', image: true });
    addText(to, decodeEntities(alt?.[1] ?? alt?.[2] ?? ''));
    to.push({ kind: 'close', href: null, image: true });
  } else if (!/^[a-z][a-z0-9-]*$/i.test(element)) addText(to, all);
}

/** The address of an `a` of HTML stands at its start. */
const pendingHref = new WeakMap<Token, string | null>();

const targetAt =
  /\(\s*(?:<([^<>\n]{0,2048})>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,1000}\)){0,2048}))(?:\s+(?:"(?:[^"\\]|\\.){0,2048}"|'(?:[^'\\]|\\.){0,2048}'))?\s*\)/y;
const labelAt = /\[([^\][]{0,999})\]/y;

function openLink([, image]: RegExpExecArray, to: Token[], { opens }: State): void {
  opens.push(to.length);
  to.push({ kind: 'open', image: image === '!' });
}

/** The end of a link: by address, by name, or by its own text as the name. */
function closeLink(match: RegExpExecArray, to: Token[], state: State): void {
  const opened = state.opens.pop();
  const open = opened === undefined ? undefined : to[opened];
  const from = match.index + 1;
  if (opened === undefined || open?.kind !== 'open') {
    addText(to, ']');
    return;
  }
  const literal = (): void => {
    to[opened] = { kind: 'text', text: open.image ? '![' : '[', marks: [] };
    addText(to, ']');
  };
  if (!open.image && opened < state.lastLink) {
    literal();
    return;
  }
  const close = (href: string): void => {
    to.push({ kind: 'close', href: safe(href), image: open.image });
    if (!open.image) state.lastLink = opened;
  };
  targetAt.lastIndex = from;
  const target = targetAt.exec(state.source);
  if (target) {
    close(unescaped(target[1] ?? target[2] ?? ''));
    state.at = from + target[0].length;
    return;
  }
  labelAt.lastIndex = from;
  const label = labelAt.exec(state.source);
  const own = to
    .slice(opened + 1, opened + 50)
    .map((token) => (token.kind === 'text' ? token.text : ''))
    .join('');
  const name = nameOf(label?.[1] || own);
  const href = state.definitions.get(name);
  if (href === undefined) {
    literal();
    return;
  }
  close(href);
  if (label) state.at = from + label[0].length;
}

const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);
const isPunctuation = (sign: string | undefined): boolean =>
  sign !== undefined && /[\p{P}\p{S}]/u.test(sign);

/** Left- and right-flanking runs (CommonMark 6.2). */
function emphasis(match: RegExpExecArray, to: Token[], { source }: State): void {
  const [run] = match;
  const before = source[match.index - 1];
  const after = source[match.index + run.length];
  const left =
    !isBlank(after) && (!isPunctuation(after) || isBlank(before) || isPunctuation(before));
  const right =
    !isBlank(before) && (!isPunctuation(before) || isBlank(after) || isPunctuation(after));
  const sign = run[0]!;
  const inWord = sign === '_';
  to.push({
    kind: 'run',
    sign,
    count: run.length,
    opens: left && (!inWord || !right || isPunctuation(before)),
    closes: right && (!inWord || !left || isPunctuation(after)),
  });
}

/** Text with marks of Markdown as spans, and the pictures in it. */
export function readInline(
  source: string,
  definitions: Definitions,
): { spans: Span[]; pictures: DocBlock[] } {
  const tokens: Token[] = [];
  const state: State = { source, definitions, at: 0, opens: [], lastLink: -1 };
  while (state.at < source.length) {
    for (const [pattern, take] of patterns) {
      pattern.lastIndex = state.at;
      const match = pattern.exec(source);
      if (!match) continue;
      state.at += match[0].length;
      take(match, tokens, state);
      break;
    }
  }
  return spansOf(tokens);
}

/** Pairs the runs of stars and the like: which token begins and ends what. */
function pairs(
  tokens: readonly Token[],
): Map<number, { start: Mark[]; end: Mark[]; left: number }> {
  const out = new Map<number, { start: Mark[]; end: Mark[]; left: number }>();
  const open: Record<string, { at: number; left: number }[]> = { '*': [], _: [], '~': [] };
  const entry = (at: number, left: number) => {
    const found = out.get(at) ?? { start: [], end: [], left };
    found.left = left;
    out.set(at, found);
    return found;
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'run') continue;
    const stack = open[token.sign]!;
    let left = token.count;
    while (token.closes && left > 0 && stack.length > 0) {
      const opener = stack.at(-1)!;
      const used =
        token.sign === '~' ? Math.min(left, opener.left) : left > 1 && opener.left > 1 ? 2 : 1;
      const mark: Mark = token.sign === '~' ? 'strike' : used === 2 ? 'bold' : 'italic';
      opener.left -= used;
      left -= used;
      entry(opener.at, opener.left).start.push(mark);
      entry(at, left).end.push(mark);
      if (opener.left === 0) stack.pop();
    }
    entry(at, left);
    if (token.opens && left > 0) stack.push({ at, left });
  }
  return out;
}

function spansOf(tokens: readonly Token[]): { spans: Span[]; pictures: DocBlock[] } {
  const spans: Span[] = [];
  const pictures: DocBlock[] = [];
  const paired = pairs(tokens);
  const ends = new Map<number, { href: string | null; image: boolean }>();
  const stack: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'open') stack.push(at);
    if (token.kind !== 'close') continue;
    const start = stack.pop();
    if (start !== undefined) {
      const href = pendingHref.get(tokens[start]!) ?? token.href;
      ends.set(start, { href, image: token.image });
    }
  }
  const marks: Mark[] = [];
  const hrefs: { href: string | null; image: boolean; alt: string }[] = [];
  const remove = (mark: Mark): void => {
    const found = marks.lastIndexOf(mark);
    if (found >= 0) marks.splice(found, 1);
  };
  const put = (text: string, own: readonly Mark[]): void => {
    const image = hrefs.findLast((one) => one.image);
    if (image) image.alt += text;
    else
      addSpan(
        spans,
        text,
        [...new Set([...marks, ...own])],
        hrefs.findLast(({ href }) => href !== null)?.href ?? null,
      );
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'text') put(token.text, token.marks);
    else if (token.kind === 'break') put('\n', []);
    else if (token.kind === 'tag') {
      if (token.opens) marks.push(token.mark);
      else remove(token.mark);
    } else if (token.kind === 'run') {
      const { start = [], end = [], left = token.count } = paired.get(at) ?? {};
      for (const mark of end) remove(mark);
      put(token.sign.repeat(left), []);
      marks.push(...start);
    } else if (token.kind === 'open') {
      const end = ends.get(at);
      if (end) hrefs.push({ ...end, alt: '' });
      else put(token.image ? '![' : '[', []);
    } else {
      const done = hrefs.pop();
      if (done?.image)
        pictures.push({ role: 'picture', alt: done.alt.trim() || null, ...origin() });
    }
  }
  return { spans, pictures };
}
