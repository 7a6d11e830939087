import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import type { Dice } from '../dice.ts';

/** Numbers and names that file parsers often mishandle. */
const oddities = [
  ...['-1', '0', '2147483648', '99999999999999999999', '1e99', 'null', 'NaN', '\0\0\0\0'],
  ...['<<', '>>', '[', ']', '(', 'endobj', 'endstream', 'stream', 'obj', '%', '&', '<', '>', '"'],
  ...['/Length 99999999', '/Kids [3 0 R 3 0 R]', '/Parent 3 0 R', '/FlateDecode', '/Type /Page'],
  ...[
    '&#0;',
    '&#x110000;',
    ']]>',
    '<![CDATA[',
    '<!DOCTYPE a [<!ENTITY b "b">]>',
    '\ufeff',
    '\ud800',
  ],
];

type Way = (bytes: Buffer, dice: Dice, other: Buffer) => Buffer;

const ways: readonly Way[] = [
  // Truncated at the end or the beginning.
  (bytes, dice) => bytes.subarray(0, dice.below(bytes.length)),
  (bytes, dice) => bytes.subarray(dice.below(Math.min(bytes.length, 2_000))),
  // Single bits and bytes.
  (bytes, dice) => flip(bytes, dice, dice.pick([1, 3, 20, 200])),
  (bytes, dice) => flip(bytes, dice, 2),
  // A range that is lost, emptied, duplicated, or taken from another file.
  (bytes, dice) => {
    const [from, to] = stretch(bytes, dice);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, dice) => {
    const [from, to] = stretch(bytes, dice);
    return Buffer.from(bytes).fill(dice.pick([0, 32, 255]), from, to);
  },
  (bytes, dice) => {
    const [from, to] = stretch(bytes, dice);
    const again = Array.from({ length: dice.pick([1, 5, 50]) }, () => bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, to), ...again, bytes.subarray(to)]);
  },
  (bytes, dice, other) => {
    const [from, to] = stretch(bytes, dice);
    const [start, end] = stretch(other, dice);
    return Buffer.concat([bytes.subarray(0, from), other.subarray(start, end), bytes.subarray(to)]);
  },
  (bytes, dice, other) =>
    Buffer.concat([
      bytes.subarray(0, dice.below(bytes.length)),
      other.subarray(dice.below(other.length)),
    ]),
  // A number or a word replaced.
  (bytes, dice) => replaceWord(bytes, dice),
  (bytes, dice) => replaceWord(bytes, dice),
];

/**
 * Damages a file in one or several places. Archives are damaged either as a whole or in one of
 * their parts.
 */
export function damage(bytes: Buffer, dice: Dice, other: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  if (bytes.subarray(0, 2).toString('latin1') === 'PK' && dice.chance(0.7)) {
    return damagePart(bytes, dice, other);
  }
  const isPdf = bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  if (isPdf && dice.chance(0.7)) return damageInside(bytes, dice);
  let damaged = isPdf && dice.chance(0.5) ? rewritten(bytes, dice) : bytes;
  for (let left = dice.pick([1, 1, 2, 4]); left > 0 && damaged.length > 0; left--) {
    damaged = dice.pick(ways)(damaged, dice, other);
  }
  return damaged;
}

function damagePart(bytes: Buffer, dice: Dice, other: Buffer): Buffer {
  try {
    const parts = unzipSync(bytes);
    const names = Object.keys(parts).filter((name) => parts[name]!.length > 0);
    const name = dice.pick(names);
    if (dice.chance(0.1)) delete parts[name];
    else parts[name] = new Uint8Array(dice.pick(ways)(Buffer.from(parts[name]!), dice, other));
    return Buffer.from(zipSync(parts));
  } catch {
    return dice.pick(ways)(bytes, dice, other);
  }
}

/**
 * Damages the objects and streams of a PDF but keeps its structure valid, so that the damaged parts
 * are read: streams are inflated first, and lengths and offsets are repaired afterwards. Needs
 * qpdf.
 */
function damageInside(bytes: Buffer, dice: Dice): Buffer {
  let plain = qpdf(bytes, ['--qdf', '--object-streams=disable']);
  if (!plain) return dice.pick(ways)(bytes, dice, bytes);
  for (let left = dice.pick([1, 2, 8]); left > 0; left--) {
    if (dice.chance(0.6)) plain = replaceWord(plain, dice);
    else if (dice.chance(0.5)) plain = flip(plain, dice, 1);
    else {
      const [from, to] = lines(plain, dice);
      const moved = dice.chance(0.5) ? plain.subarray(from, to) : Buffer.alloc(0);
      plain = Buffer.concat([plain.subarray(0, from), moved, moved, plain.subarray(to)]);
    }
  }
  const repaired = spawnSync('fix-qdf', [], { input: plain, timeout: 10_000, maxBuffer: 2 ** 28 });
  return repaired.status === 0 && repaired.stdout.length > 0 ? repaired.stdout : plain;
}

/** The start and end of a few whole lines. */
function lines(bytes: Buffer, dice: Dice): [number, number] {
  const from = bytes.indexOf(10, dice.below(bytes.length)) + 1;
  let to = from;
  for (let left = dice.pick([1, 2, 6]); left > 0; left--) {
    const end = bytes.indexOf(10, to);
    if (end < 0) break;
    to = end + 1;
  }
  return [from, to];
}

const rewritings = [
  ['--qdf', '--object-streams=disable'],
  ['--object-streams=generate'],
  ['--linearize'],
  ['--pages', '.', '1,1,1', '--'],
  ['--encrypt', '', 'owner', '256', '--'],
  ['--rotate=+90'],
];

/**
 * The same PDF in another form, by qpdf if it is installed, so that bit changes hit other places.
 */
function rewritten(bytes: Buffer, dice: Dice): Buffer {
  const chosen = dice.pick(rewritings);
  return qpdf(bytes, ['--deterministic-id', ...chosen]) ?? qpdf(bytes, chosen) ?? bytes;
}

/** The file as rewritten by qpdf; null if qpdf fails or is not installed. */
function qpdf(bytes: Buffer, options: readonly string[]): Buffer | null {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-qpdf-'));
  try {
    const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(from, bytes);
    const ended = spawnSync('qpdf', [from, ...options, to], { timeout: 10_000, stdio: 'ignore' });
    return ended.error || ended.status === 2 ? null : readFileSync(to);
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function flip(bytes: Buffer, dice: Dice, times: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = times; left > 0; left--) {
    const at = dice.below(copy.length);
    copy[at] = dice.chance(0.5) ? copy[at]! ^ (1 << dice.below(8)) : dice.below(256);
  }
  return copy;
}

function stretch(bytes: Buffer, dice: Dice): [number, number] {
  const from = dice.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + dice.below(dice.pick([8, 200, 5_000])))];
}

function replaceWord(bytes: Buffer, dice: Dice): Buffer {
  const text = bytes.toString('latin1');
  const start = dice.below(text.length);
  const found = /\/?\w+/g;
  found.lastIndex = start;
  const word = found.exec(text);
  if (!word) return flip(bytes, dice, 1);
  const odd = dice.pick(oddities);
  return Buffer.from(
    text.slice(0, word.index) + odd + text.slice(word.index + word[0].length),
    'latin1',
  );
}
