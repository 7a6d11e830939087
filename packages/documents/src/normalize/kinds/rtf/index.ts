import { EngineError } from '@scriptorium/sandbox/errors';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import type { NormalDocument } from '../../document.ts';
import { createBudget, firstHeading, onePage, origin, withLevels } from '../build-blocks.ts';
import { createDecoder, encodingOfPage, encodingOfSet, namedCharacters } from './characters.ts';
import {
  frameContents,
  frameGroups,
  headerOrFooter,
  readIgnorable,
  textlessDestinations,
} from './destinations.ts';
import { createDocumentBuilder, type DocumentBuilder } from './document-builder.ts';
import { type CharacterFormat, defaultFormat, type Group, nestedIn, rootGroup } from './state.ts';
import { type Token, tokensOf } from './tokens.ts';

const maxDepth = 1000;

type Reader = {
  builder: DocumentBuilder;
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
  skipCount: number;
  title: string;
  unread: UnreadKinds;
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
    builder: createDocumentBuilder(createBudget()),
    group: rootGroup,
    stack: [],
    decoder: createDecoder(),
    fonts: new Map(),
    font: 0,
    style: { number: 0, name: '' },
    styles: new Map(),
    encoding: 'windows-1252',
    skipCount: 0,
    title: '',
    unread: createUnreadKinds(),
  };
  for (const token of tokensOf(bytes)) {
    if (token.kind === 'bytes') readBytes(token.bytes, reader);
    else {
      flush(reader);
      readControl(token, reader);
    }
    if (reader.stack.length === 0 && token.kind === 'close') break;
  }
  flush(reader);
  const blocks = reader.builder.end();
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
const isWordByte = (byte: number): boolean =>
  (byte > 47 && byte < 58) || (byte > 64 && byte < 91) || (byte > 96 && byte < 123) || byte > 127;

function readBytes(bytes: Uint8Array, reader: Reader): void {
  const kept = bytes.subarray(Math.min(reader.skipCount, bytes.length));
  reader.skipCount -= bytes.length - kept.length;
  const { group } = reader;
  if (kept.length === 0) return;
  if (group.destination === 'unseen' || group.destination === 'frame') {
    if (group.unread !== null && kept.some(isWordByte)) reader.unread.add(group.unread);
    return;
  }
  reader.decoder.add(kept, reader.fonts.get(group.format.font) ?? reader.encoding);
}

function flush(reader: Reader): void {
  const text = reader.decoder.take();
  if (text !== '') writeText(text, reader);
}

/** Writes text to the destination of the current group. */
function writeText(text: string, reader: Reader): void {
  const { group, builder, style } = reader;
  switch (group.destination) {
    case 'text':
      if (group.format.hidden && text.trim() !== '') reader.unread.add('hidden text');
      if (!group.format.hidden && !group.format.deleted) {
        builder.addText(text, group.format, group.href.value);
      }
      return;
    case 'marker':
      builder.addToMarker(text);
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
      if (builder.author.length < 200) builder.author += text;
      return;
    default:
  }
}

function readControl(token: Token, reader: Reader): void {
  if (token.kind === 'open') {
    if (reader.stack.length >= maxDepth) {
      throw new EngineError('too_large', `The file is nested deeper than ${maxDepth} groups.`);
    }
    reader.stack.push(reader.group);
    reader.group = nestedIn(reader.group);
    reader.skipCount = 0;
  } else if (token.kind === 'close') closeGroup(reader);
  else if (token.kind === 'word') readWord(token.name, token.value, reader);
}

function closeGroup(reader: Reader): void {
  const { group, builder, style } = reader;
  if (group.destination === 'stylesheet' && style.name !== '') {
    reader.styles.set(style.number, style.name.replace(/;.*$/s, '').trim().toLowerCase());
    style.name = '';
    style.number = 0;
  }
  if (group.opens === 'note') builder.closeNote();
  if (group.opens === 'header' || group.opens === 'footer') builder.closeFurniture(group.opens);
  if (group.opens === 'box') builder.closeBox();
  if (group.opens === 'instruction') group.href.value = targetOf(group.href.code);
  reader.group = reader.stack.pop() ?? rootGroup;
  reader.skipCount = 0;
}

/** Returns the target of a link field. */
function targetOf(code: string): string | null {
  const [, target] = /^\s*HYPERLINK\s+(?:\\l\s+)?"([^"]{1,4096})"/i.exec(code) ?? [];
  if (target === undefined) return null;
  return /^(javascript|vbscript|data|blob|file):/i.test(target.replace(/[\s\p{Cc}]/gu, ''))
    ? null
    : target;
}

function readWord(name: string, value: number | null, reader: Reader): void {
  const { group, builder } = reader;
  if (group.isIgnorable && group.isNew) {
    group.isNew = false;
    enterIgnorable(name, reader);
    if (group.destination === 'unseen') return;
  } else if (group.isNew && name !== '*') {
    group.isNew = false;
    enterGroup(name, reader);
  }
  if (name === '*') {
    group.isIgnorable = true;
    return;
  }
  if (name === 'u' && value !== null) {
    const unit = value < 0 ? value + 65_536 : value;
    if (unit >= 0 && unit <= 0xffff) writeText(String.fromCharCode(unit), reader);
    reader.skipCount = group.unicodeSkip;
    return;
  }
  if (name === '\n' || name === '\r') {
    if (group.destination === 'text') builder.handleControl('par', null);
    return;
  }
  const character = namedCharacters[name];
  if (character !== undefined && value === null) {
    writeText(character, reader);
    return;
  }
  if (group.destination === 'fonts' || group.destination === 'stylesheet')
    readTableEntry(name, value, reader);
  else if (group.destination === 'text' && builder.handleControl(name, value)) return;
  setFormat(name, value, reader);
}

/** Enters a group that programs may ignore. Most of these groups contain no text. */
function enterIgnorable(name: string, reader: Reader): void {
  const { group, builder } = reader;
  if (group.destination === 'unseen') return;
  if (name === 'fldinst') {
    group.destination = 'instruction';
    group.opens = 'instruction';
    group.href.code = '';
  } else if (name === 'annotation') {
    group.opens = 'note';
    builder.openNote(true);
  } else if (name === 'atnauthor') {
    builder.author = '';
    group.destination = 'author';
  } else if (name === 'cs' || name === 'ds' || name === 'ts') group.isIgnorable = false;
  else if (readIgnorable.has(name)) enterGroup(name, reader);
  else {
    group.destination = 'unseen';
    group.unread = textlessDestinations.has(name) ? null : name;
  }
}

/** Enters a group by its first control word, which determines its purpose. */
function enterGroup(name: string, reader: Reader): void {
  const { group, builder } = reader;
  if (group.destination === 'unseen' && !(name === 'title' && reader.stack.length < 4)) return;
  if (group.destination === 'frame' && frameContents.has(name)) {
    group.destination = 'text';
    group.unread = null;
    group.opens = 'box';
    group.format = defaultFormat;
    builder.openBox();
    return;
  }
  const furnitureKind = headerOrFooter.exec(name)?.[1];
  if (furnitureKind === 'header' || furnitureKind === 'footer') {
    group.opens = furnitureKind;
    builder.openBox();
    return;
  }
  if (name === 'fonttbl') group.destination = 'fonts';
  else if (name === 'stylesheet') group.destination = 'stylesheet';
  else if (name === 'listtext' || name === 'pntext') {
    group.destination = 'marker';
    builder.startMarker();
  } else if (name === 'title') group.destination = 'title';
  else if (name === 'footnote') {
    group.opens = 'note';
    group.format = { ...group.format, script: null };
    builder.openNote(false);
  } else if (name === 'field') group.href = { code: '', value: null };
  else if (frameGroups.has(name)) group.destination = 'frame';
  else if (name === 'pict' && (group.destination === 'text' || group.destination === 'frame')) {
    builder.addBlock({ role: 'picture', alt: null, ...origin() });
    group.destination = 'unseen';
  } else if (textlessDestinations.has(name)) group.destination = 'unseen';
}

/** Reads the entries of the font table and the stylesheet. */
function readTableEntry(name: string, value: number | null, reader: Reader): void {
  if (reader.group.destination === 'stylesheet') {
    if (name === 's' && value !== null) reader.style.number = value;
    else if (name === 'cs' || name === 'ds' || name === 'ts') reader.style.number = -1;
    return;
  }
  if (name === 'f' && value !== null) reader.font = value;
  const encoding = name === 'fcharset' && value !== null ? encodingOfSet(value) : null;
  if (encoding !== null && reader.fonts.size < 10_000) reader.fonts.set(reader.font, encoding);
}

/** Sets formatting, which applies until the group ends. */
function setFormat(name: string, value: number | null, reader: Reader): void {
  const { group, builder, styles } = reader;
  const isOn = value !== 0;
  const updateFormat = (changes: Partial<CharacterFormat>): void => {
    group.format = { ...group.format, ...changes };
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
      group.unicodeSkip = Math.min(Math.max(0, value ?? 1), 16);
      return;
    case 'plain':
      updateFormat({ ...defaultFormat, font: group.format.font });
      return;
    case 'f':
      updateFormat({ font: value ?? 0 });
      return;
    case 'b':
      updateFormat({ bold: isOn });
      return;
    case 'i':
      updateFormat({ italic: isOn });
      return;
    case 'strike':
    case 'striked':
      updateFormat({ strike: isOn });
      return;
    case 'super':
      updateFormat({ script: isOn ? 'superscript' : null });
      return;
    case 'sub':
      updateFormat({ script: isOn ? 'subscript' : null });
      return;
    case 'nosupersub':
      updateFormat({ script: null });
      return;
    case 'v':
      updateFormat({ hidden: isOn });
      return;
    case 'deleted':
      updateFormat({ deleted: isOn });
      return;
    case 's':
      builder.setStyle(styles.get(value ?? 0) ?? '');
      return;
    default:
  }
}
