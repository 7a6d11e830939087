import { EngineError } from '@scriptorium/sandbox/errors';
import { createUnreadKinds, type UnreadKinds } from '../../../files/unread/index.ts';
import {
  createDecoder,
  encodingOfPage,
  encodingOfSet,
  namedCharacters,
} from '../../../normalize/kinds/rtf/characters.ts';
import { textlessDestinations } from '../../../normalize/kinds/rtf/destinations.ts';
import { tokensOf } from '../../../normalize/kinds/rtf/tokens.ts';
import { type FileReading, newStream, piece, type Stream } from '../stream.ts';
import { breaks, frames, ignorableFrames, keptWords, maxNumber, ownTexts } from './words.ts';
import { type OutputItem, writeRtf } from './write.ts';

const maxDepth = 1000;

interface Group {
  /** `text`: written. `frame`: only its groups are written. `fonts`, `dropped`: not written. */
  use: 'text' | 'frame' | 'fonts' | 'dropped';
  /** The name to report if the dropped group has text; null for none. */
  unread: string | null;
  isNew: boolean;
  isIgnorable: boolean;
  /** Whether the brace of the group was written. */
  isOpen: boolean;
  stream: Stream;
  font: number;
  isHidden: boolean;
  isDeleted: boolean;
  /** The number of replacement characters after a Unicode character. */
  unicodeSkip: number;
}

interface Font {
  encoding: string | null;
  family: 0 | 1 | 2;
}

interface ReadState {
  group: Group;
  stack: Group[];
  streams: Stream[];
  output: OutputItem[];
  decoder: ReturnType<typeof createDecoder>;
  /** The text since the last control word. */
  text: string;
  encoding: string;
  fonts: Map<number, Font>;
  skipCount: number;
  pictures: number;
  unread: UnreadKinds;
}

/**
 * Reads Rich Text Format for redaction: the runs of the text, of headers, footers, notes and text
 * boxes, with tracked changes accepted. Fields are replaced by their results. Hidden text, comments,
 * properties, styles, pictures, objects, bookmarks and unknown control words are dropped.
 * @throws EngineError if the file is not Rich Text Format or is nested too deeply
 */
export function readRtfStreams(bytes: Uint8Array): FileReading {
  if (!/^\s*\{\\rtf/.test(Buffer.from(bytes.subarray(0, 20)).toString('latin1'))) {
    throw new EngineError('unsupported', 'The file is not Rich Text Format.');
  }
  const state = readTokens(bytes);
  return {
    pages: 1,
    streams: state.streams,
    pictures: state.pictures,
    dropped: state.unread.kinds(),
    write: () => writeRtf(state.output),
  };
}

function readTokens(bytes: Uint8Array): ReadState {
  const body = newStream(1);
  const group: Group = {
    use: 'text',
    unread: null,
    isNew: false,
    isIgnorable: false,
    isOpen: true,
    stream: body,
    font: -1,
    isHidden: false,
    isDeleted: false,
    unicodeSkip: 1,
  };
  const state: ReadState = {
    group,
    stack: [],
    streams: [body],
    output: [],
    decoder: createDecoder(),
    text: '',
    encoding: 'windows-1252',
    fonts: new Map(),
    skipCount: 0,
    pictures: 0,
    unread: createUnreadKinds(),
  };
  for (const token of tokensOf(bytes)) {
    if (token.kind === 'bytes') readBytes(token.bytes, state);
    else {
      state.text += state.decoder.take();
      if (token.kind === 'open') openGroup(state);
      else if (token.kind === 'close') closeGroup(state);
      else if (token.kind === 'word') readWord(token.name, token.value, state);
    }
    if (state.stack.length === 0 && token.kind === 'close') break;
  }
  state.text += state.decoder.take();
  while (state.stack.length > 0) closeGroup(state);
  return state;
}

function openGroup(state: ReadState): void {
  endText(state);
  if (state.stack.length >= maxDepth) {
    throw new EngineError('too_large', `The file is nested deeper than ${maxDepth} groups.`);
  }
  state.stack.push(state.group);
  const isRoot = state.stack.length === 1;
  state.group = { ...state.group, isNew: !isRoot, isIgnorable: false, isOpen: isRoot };
  state.skipCount = 0;
}

function closeGroup(state: ReadState): void {
  endText(state);
  if (state.group.isOpen && state.stack.length > 1) state.output.push('}');
  state.group = state.stack.pop() ?? state.group;
  state.skipCount = 0;
}

/** Writes the brace of the group before its first content. */
function begin({ group, output }: ReadState, word = ''): void {
  group.isNew = false;
  if (group.isOpen || group.use === 'dropped' || group.use === 'fonts') return;
  group.isOpen = true;
  output.push(`{${word}`);
}

function readBytes(bytes: Uint8Array, state: ReadState): void {
  const kept = bytes.subarray(Math.min(state.skipCount, bytes.length));
  state.skipCount -= bytes.length - kept.length;
  if (kept.length === 0) return;
  const font = state.fonts.get(state.group.font);
  state.decoder.add(kept, font?.encoding ?? state.encoding);
}

/** Ends a run of text: adds it to the stream and the output, unless it is dropped. */
function endText(state: ReadState): void {
  const text = state.text.replace(/(?!\t)\p{Cc}/gu, '');
  state.text = '';
  const { group, unread } = state;
  if (text === '') return;
  if (group.use !== 'text') {
    if (group.unread !== null && /[\p{L}\p{N}]/u.test(text)) unread.add(group.unread);
    return;
  }
  if (group.isHidden || group.isDeleted) {
    if (group.isHidden && text.trim() !== '') unread.add('hidden text');
    return;
  }
  begin(state);
  const run = piece(text);
  group.stream.parts.push(run);
  state.output.push(run);
}

function readWord(name: string, value: number | null, state: ReadState): void {
  const { group } = state;
  if (name === '*' && group.isNew) {
    group.isIgnorable = true;
    return;
  }
  const character = value === null ? namedCharacters[name] : undefined;
  if (name === 'u' && value !== null) addUnit(value, state);
  else if (name === '-') state.text += '\u00ad';
  else if (character !== undefined && name !== 'line') state.text += character;
  else {
    endText(state);
    if (group.isNew && enterGroup(name, state)) return;
    if (group.use === 'fonts') readFont(name, value, state);
    else if (group.use !== 'dropped') readFormat(name, value, state);
  }
}

/** Adds a UTF-16 unit, which is followed by characters for programs without Unicode. */
function addUnit(value: number, state: ReadState): void {
  const unit = value < 0 ? value + 65_536 : value;
  if (unit >= 0 && unit <= 0xffff) state.text += String.fromCharCode(unit);
  state.skipCount = state.group.unicodeSkip;
}

/** Enters a group by its first control word. Returns whether the word names its destination. */
function enterGroup(name: string, state: ReadState): boolean {
  const { group, streams } = state;
  const isIgnorable = group.isIgnorable;
  group.isNew = false;
  if (group.use === 'dropped') return true;
  if (name === 'pict' || name === 'shppict') {
    if (name === 'pict') state.pictures += 1;
    // Within `shppict`, the picture is still to come.
    if (name === 'pict') drop(group, null);
    return true;
  }
  if (name === 'object' || name === 'do') drop(group, name);
  else if (name === 'fonttbl') group.use = 'fonts';
  else if (isIgnorable ? ignorableFrames.has(name) : frames.has(name)) {
    begin(state, `${isIgnorable ? '\\*' : ''}\\${name} `);
    group.use = 'frame';
  } else if (textlessDestinations.has(name)) drop(group, null);
  else if (isIgnorable) drop(group, name === 'annotation' ? null : name);
  else {
    const part = ownTexts[name];
    if (part === undefined) return false;
    if (name === 'shptxt' && group.use !== 'frame') return false;
    begin(state, `\\${name} `);
    group.use = 'text';
    group.stream = newStream(1, { part });
    streams.push(group.stream);
  }
  return true;
}

function drop(group: Group, unread: string | null): void {
  group.use = 'dropped';
  group.unread = unread;
}

function readFont(name: string, value: number | null, { group, fonts }: ReadState): void {
  if (name === 'f' && value !== null) group.font = value;
  const font = fonts.get(group.font) ?? { encoding: null, family: 0 };
  if (name === 'fcharset' && value !== null) font.encoding = encodingOfSet(value);
  if (name === 'fswiss') font.family = 1;
  if (name === 'fmodern') font.family = 2;
  if (fonts.size < 10_000) fonts.set(group.font, font);
}

function readFormat(name: string, value: number | null, state: ReadState): void {
  const { group, fonts, output } = state;
  if (name === 'ansicpg') state.encoding = encodingOfPage(value ?? 1252);
  else if (name === 'mac') state.encoding = 'macintosh';
  else if (name === 'pc') state.encoding = encodingOfPage(437);
  else if (name === 'pca') state.encoding = encodingOfPage(850);
  else if (name === 'uc') group.unicodeSkip = Math.min(Math.max(0, value ?? 1), 16);
  else if (name === 'v') group.isHidden = value !== 0;
  else if (name === 'deleted') group.isDeleted = value !== 0;
  else if (name === 'f') {
    group.font = value ?? 0;
    begin(state);
    output.push(`\\f${fonts.get(group.font)?.family ?? 0} `);
  } else readLayout(name === '\n' || name === '\r' ? 'par' : name, value, state);
  if (name === 'plain') {
    group.isHidden = false;
    group.isDeleted = false;
  }
}

function readLayout(name: string, value: number | null, state: ReadState): void {
  const { group, output } = state;
  const lineEnd = breaks[name];
  if (lineEnd === undefined && !keptWords.has(name)) return;
  if (value !== null && Math.abs(value) > maxNumber) return;
  // The end of a deleted paragraph joins it to the next one.
  if (lineEnd !== undefined && group.isDeleted) return;
  begin(state);
  if (lineEnd !== undefined) group.stream.parts.push(lineEnd);
  output.push(`\\${name}${value ?? ''} ${lineEnd === '\n' ? '\n' : ''}`);
}
