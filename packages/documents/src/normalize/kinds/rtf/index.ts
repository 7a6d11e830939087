import { EngineError } from '@scriptorium/sandbox/errors';
import { createUnread, type Unread } from '../../../files/unread/index.ts';
import type { NormalDocument } from '../../document.ts';
import { createBudget, firstHeading, onePage, origin, withLevels } from '../build.ts';
import { createDecoder, encodingOfPage, encodingOfSet, namedCharacters } from './characters.ts';
import { framed, frames, furniture, harmless, readStarred } from './destinations.ts';
import { createPage, type Page } from './page.ts';
import { type Group, inner, type Look, outermost, plainLook } from './state.ts';
import { type Token, tokensOf } from './tokens.ts';

const maxDepth = 1000;

type Reader = {
  page: Page;
  group: Group;
  stack: Group[];
  decoder: ReturnType<typeof createDecoder>;
  fonts: Map<number, string>;
  /** The current font of the font table, and the current style of the stylesheet. */
  font: number;
  style: { number: number; name: string };
  styles: Map<number, string>;
  encoding: string;
  /**
   * The number of replacement characters after the last Unicode character that remain to be
   * skipped.
   */
  skip: number;
  title: string;
  unread: Unread;
};

/**
 * Reads Rich Text Format: paragraphs, headings by style or outline level, lists, tables, links,
 * text boxes, notes and comments. Headers precede the text and footers follow it. Hidden and
 * deleted text is left out. Throws EngineError.
 */
export function readRtf(bytes: Uint8Array): NormalDocument {
  if (!/^\s*\{\\rtf/.test(Buffer.from(bytes.subarray(0, 20)).toString('latin1'))) {
    throw new EngineError('unsupported', 'The file is not Rich Text Format.');
  }
  const reader: Reader = {
    page: createPage(createBudget()),
    group: outermost,
    stack: [],
    decoder: createDecoder(),
    fonts: new Map(),
    font: 0,
    style: { number: 0, name: '' },
    styles: new Map(),
    encoding: 'windows-1252',
    skip: 0,
    title: '',
    unread: createUnread(),
  };
  for (const token of tokensOf(bytes)) {
    if (token.kind === 'bytes') takeBytes(token.bytes, reader);
    else {
      flush(reader);
      takeControl(token, reader);
    }
    if (reader.stack.length === 0 && token.kind === 'close') break;
  }
  flush(reader);
  const blocks = reader.page.end();
  return {
    title: reader.title.trim() || firstHeading(blocks),
    language: null,
    pages: onePage,
    blocks: withLevels(blocks),
    unread: reader.unread.kinds(),
  };
}

/**
 * Whether a byte is a digit, a letter or part of a character. Other bytes, such as `;`, end entries
 * of tables.
 */
const isOfWord = (byte: number): boolean =>
  (byte > 47 && byte < 58) || (byte > 64 && byte < 91) || (byte > 96 && byte < 123) || byte > 127;

function takeBytes(bytes: Uint8Array, reader: Reader): void {
  const kept = bytes.subarray(Math.min(reader.skip, bytes.length));
  reader.skip -= bytes.length - kept.length;
  const { group } = reader;
  if (kept.length === 0) return;
  if (group.place === 'unseen' || group.place === 'frame') {
    if (group.unread !== null && kept.some(isOfWord)) reader.unread.add(group.unread);
    return;
  }
  reader.decoder.add(kept, reader.fonts.get(group.look.font) ?? reader.encoding);
}

function flush(reader: Reader): void {
  const text = reader.decoder.take();
  if (text !== '') write(text, reader);
}

/** Writes text to the destination of the current group. */
function write(text: string, reader: Reader): void {
  const { group, page, style } = reader;
  switch (group.place) {
    case 'text':
      if (group.look.hidden && text.trim() !== '') reader.unread.add('hidden text');
      if (!group.look.hidden && !group.look.deleted) {
        page.text(text, group.look, group.href.value);
      }
      return;
    case 'marker':
      page.marker(text);
      return;
    case 'instruction':
      group.href.code += text.slice(0, 4096);
      return;
    case 'stylesheet':
      style.name += text.slice(0, 200);
      return;
    case 'title':
      if (reader.title.length < 1000) reader.title += text;
      return;
    case 'author':
      if (page.author.length < 200) page.author += text;
      return;
    default:
  }
}

function takeControl(token: Token, reader: Reader): void {
  if (token.kind === 'open') {
    if (reader.stack.length >= maxDepth) {
      throw new EngineError('too_large', `The file is nested deeper than ${maxDepth} groups.`);
    }
    reader.stack.push(reader.group);
    reader.group = inner(reader.group);
    reader.skip = 0;
  } else if (token.kind === 'close') closeGroup(reader);
  else if (token.kind === 'word') takeWord(token.name, token.value, reader);
}

function closeGroup(reader: Reader): void {
  const { group, page, style } = reader;
  if (group.place === 'stylesheet' && style.name !== '') {
    reader.styles.set(style.number, style.name.replace(/;.*$/s, '').trim().toLowerCase());
    style.name = '';
    style.number = 0;
  }
  if (group.opens === 'note') page.closeNote();
  if (group.opens === 'header' || group.opens === 'footer') page.closeFurniture(group.opens);
  if (group.opens === 'box') page.closeBox();
  if (group.opens === 'instruction') group.href.value = targetOf(group.href.code);
  reader.group = reader.stack.pop() ?? outermost;
  reader.skip = 0;
}

/** Returns the target of a link field. */
function targetOf(code: string): string | null {
  const [, target] = /^\s*HYPERLINK\s+(?:\\l\s+)?"([^"]{1,4096})"/i.exec(code) ?? [];
  if (target === undefined) return null;
  return /^(javascript|vbscript|data|blob|file):/i.test(target.replace(/[\s\p{Cc}]/gu, ''))
    ? null
    : target;
}

function takeWord(name: string, value: number | null, reader: Reader): void {
  const { group, page } = reader;
  if (group.isStarred && group.isNew) {
    group.isNew = false;
    enterStarred(name, reader);
    if (group.place === 'unseen') return;
  } else if (group.isNew && name !== '*') {
    group.isNew = false;
    enter(name, reader);
  }
  if (name === '*') {
    group.isStarred = true;
    return;
  }
  if (name === 'u' && value !== null) {
    const unit = value < 0 ? value + 65_536 : value;
    if (unit >= 0 && unit <= 0xffff) write(String.fromCharCode(unit), reader);
    reader.skip = group.fallback;
    return;
  }
  if (name === '\n' || name === '\r') {
    if (group.place === 'text') page.control('par', null);
    return;
  }
  const character = namedCharacters[name];
  if (character !== undefined && value === null) {
    write(character, reader);
    return;
  }
  if (group.place === 'fonts' || group.place === 'stylesheet') describe(name, value, reader);
  else if (group.place === 'text' && page.control(name, value)) return;
  setLook(name, value, reader);
}

/** Enters a group that programs may ignore. Most of these groups contain no text. */
function enterStarred(name: string, reader: Reader): void {
  const { group, page } = reader;
  if (group.place === 'unseen') return;
  if (name === 'fldinst') {
    group.place = 'instruction';
    group.opens = 'instruction';
    group.href.code = '';
  } else if (name === 'annotation') {
    group.opens = 'note';
    page.openNote(true);
  } else if (name === 'atnauthor') {
    page.author = '';
    group.place = 'author';
  } else if (name === 'cs' || name === 'ds' || name === 'ts') group.isStarred = false;
  else if (readStarred.has(name)) enter(name, reader);
  else {
    group.place = 'unseen';
    group.unread = harmless.has(name) ? null : name;
  }
}

/** Enters a group by its first control word, which determines its purpose. */
function enter(name: string, reader: Reader): void {
  const { group, page } = reader;
  if (group.place === 'unseen' && !(name === 'title' && reader.stack.length < 4)) return;
  if (group.place === 'frame' && framed.has(name)) {
    group.place = 'text';
    group.unread = null;
    group.opens = 'box';
    group.look = plainLook;
    page.openBox();
    return;
  }
  const side = furniture.exec(name)?.[1];
  if (side === 'header' || side === 'footer') {
    group.opens = side;
    page.openBox();
    return;
  }
  if (name === 'fonttbl') group.place = 'fonts';
  else if (name === 'stylesheet') group.place = 'stylesheet';
  else if (name === 'listtext' || name === 'pntext') {
    group.place = 'marker';
    page.newMarker();
  } else if (name === 'title') group.place = 'title';
  else if (name === 'footnote') {
    group.opens = 'note';
    group.look = { ...group.look, script: null };
    page.openNote(false);
  } else if (name === 'field') group.href = { code: '', value: null };
  else if (frames.has(name)) group.place = 'frame';
  else if (name === 'pict' && (group.place === 'text' || group.place === 'frame')) {
    page.block({ role: 'picture', alt: null, ...origin() });
    group.place = 'unseen';
  } else if (harmless.has(name)) group.place = 'unseen';
}

/** Reads the entries of the font table and the stylesheet. */
function describe(name: string, value: number | null, reader: Reader): void {
  if (reader.group.place === 'stylesheet') {
    if (name === 's' && value !== null) reader.style.number = value;
    else if (name === 'cs' || name === 'ds' || name === 'ts') reader.style.number = -1;
    return;
  }
  if (name === 'f' && value !== null) reader.font = value;
  const encoding = name === 'fcharset' && value !== null ? encodingOfSet(value) : null;
  if (encoding !== null && reader.fonts.size < 10_000) reader.fonts.set(reader.font, encoding);
}

/** Sets formatting, which applies until the group ends. */
function setLook(name: string, value: number | null, reader: Reader): void {
  const { group, page, styles } = reader;
  const on = value !== 0;
  const change = (look: Partial<Look>): void => {
    group.look = { ...group.look, ...look };
  };
  switch (name) {
    case 'ansicpg':
      reader.encoding = encodingOfPage(value ?? 1252);
      return;
    case 'mac':
      reader.encoding = 'macintosh';
      return;
    case 'pc':
      reader.encoding = encodingOfPage(437);
      return;
    case 'pca':
      reader.encoding = encodingOfPage(850);
      return;
    case 'uc':
      group.fallback = Math.min(Math.max(0, value ?? 1), 16);
      return;
    case 'plain':
      change({ ...plainLook, font: group.look.font });
      return;
    case 'f':
      change({ font: value ?? 0 });
      return;
    case 'b':
      change({ bold: on });
      return;
    case 'i':
      change({ italic: on });
      return;
    case 'strike':
    case 'striked':
      change({ strike: on });
      return;
    case 'super':
      change({ script: on ? 'superscript' : null });
      return;
    case 'sub':
      change({ script: on ? 'subscript' : null });
      return;
    case 'nosupersub':
      change({ script: null });
      return;
    case 'v':
      change({ hidden: on });
      return;
    case 'deleted':
      change({ deleted: on });
      return;
    case 's':
      page.style(styles.get(value ?? 0) ?? '');
      return;
    default:
  }
}
