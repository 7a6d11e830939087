import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import type { Dice } from '../dice.ts';

/** Numbers and names that file parsers often mishandle. */
const oddTokens = [
  '-1',
  '0',
  '2147483648',
  '99999999999999999999',
  '1e99',
  'null',
  'NaN',
  '\0\0\0\0',
  '<<',
  '>>',
  '[',
  ']',
  '(',
  'endobj',
  'endstream',
  'stream',
  'obj',
  '%',
  '&',
  '<',
  '>',
  '"',
  '/Length 99999999',
  '/Kids [3 0 R 3 0 R]',
  '/Parent 3 0 R',
  '/FlateDecode',
  '/Type /Page',
  '&#0;',
  '&#x110000;',
  ']]>',
  '<![CDATA[',
  '<!DOCTYPE a [<!ENTITY b "b">]>',
  '\ufeff',
  '\ud800',
];

type DamageMethod = (bytes: Buffer, dice: Dice, other: Buffer) => Buffer;

const damageMethods: readonly DamageMethod[] = [
  // Truncated at the end or the beginning.
  (bytes, dice) => bytes.subarray(0, dice.below(bytes.length)),
  (bytes, dice) => bytes.subarray(dice.below(Math.min(bytes.length, 2_000))),
  // Single bits and bytes.
  (bytes, dice) => flipBits(bytes, dice, dice.pick([1, 3, 20, 200])),
  (bytes, dice) => flipBits(bytes, dice, 2),
  // A range that is lost, emptied, duplicated, or taken from another file.
  (bytes, dice) => {
    const [from, to] = randomRange(bytes, dice);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, dice) => {
    const [from, to] = randomRange(bytes, dice);
    return Buffer.from(bytes).fill(dice.pick([0, 32, 255]), from, to);
  },
  (bytes, dice) => {
    const [from, to] = randomRange(bytes, dice);
    const copies = Array.from({ length: dice.pick([1, 5, 50]) }, () => bytes.subarray(from, to));
    return Buffer.concat([bytes.subarray(0, to), ...copies, bytes.subarray(to)]);
  },
  (bytes, dice, other) => {
    const [from, to] = randomRange(bytes, dice);
    const [start, end] = randomRange(other, dice);
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
  let damaged = isPdf && dice.chance(0.5) ? rewritePdf(bytes, dice) : bytes;
  for (let left = dice.pick([1, 1, 2, 4]); left > 0 && damaged.length > 0; left--) {
    damaged = dice.pick(damageMethods)(damaged, dice, other);
  }
  return damaged;
}

function damagePart(bytes: Buffer, dice: Dice, other: Buffer): Buffer {
  try {
    const parts = unzipSync(bytes);
    const names = Object.keys(parts).filter((name) => parts[name]!.length > 0);
    const name = dice.pick(names);
    if (dice.chance(0.1)) delete parts[name];
    else
      parts[name] = new Uint8Array(
        dice.pick(damageMethods)(Buffer.from(parts[name]!), dice, other),
      );
    return Buffer.from(zipSync(parts));
  } catch {
    return dice.pick(damageMethods)(bytes, dice, other);
  }
}

/**
 * Damages the objects and streams of a PDF but keeps its structure valid, so that the damaged parts
 * are read: streams are inflated first, and lengths and offsets are repaired afterwards. Needs
 * qpdf.
 */
function damageInside(bytes: Buffer, dice: Dice): Buffer {
  let uncompressed = qpdf(bytes, ['--qdf', '--object-streams=disable']);
  if (!uncompressed) return dice.pick(damageMethods)(bytes, dice, bytes);
  for (let left = dice.pick([1, 2, 8]); left > 0; left--) {
    if (dice.chance(0.6)) uncompressed = replaceWord(uncompressed, dice);
    else if (dice.chance(0.5)) uncompressed = flipBits(uncompressed, dice, 1);
    else {
      const [from, to] = lineRange(uncompressed, dice);
      const selected = dice.chance(0.5) ? uncompressed.subarray(from, to) : Buffer.alloc(0);
      uncompressed = Buffer.concat([
        uncompressed.subarray(0, from),
        selected,
        selected,
        uncompressed.subarray(to),
      ]);
    }
  }
  const repaired = spawnSync('fix-qdf', [], {
    input: uncompressed,
    timeout: 10_000,
    maxBuffer: 2 ** 28,
  });
  return repaired.status === 0 && repaired.stdout.length > 0 ? repaired.stdout : uncompressed;
}

/** The start and end of a few whole lines. */
function lineRange(bytes: Buffer, dice: Dice): [number, number] {
  const from = bytes.indexOf(10, dice.below(bytes.length)) + 1;
  let to = from;
  for (let left = dice.pick([1, 2, 6]); left > 0; left--) {
    const end = bytes.indexOf(10, to);
    if (end < 0) break;
    to = end + 1;
  }
  return [from, to];
}

const rewriteOptions = [
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
function rewritePdf(bytes: Buffer, dice: Dice): Buffer {
  const chosen = dice.pick(rewriteOptions);
  return qpdf(bytes, ['--deterministic-id', ...chosen]) ?? qpdf(bytes, chosen) ?? bytes;
}

/** The file as rewritten by qpdf; null if qpdf fails or is not installed. */
function qpdf(bytes: Buffer, options: readonly string[]): Buffer | null {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-qpdf-'));
  try {
    const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(from, bytes);
    const result = spawnSync('qpdf', [from, ...options, to], { timeout: 10_000, stdio: 'ignore' });
    return result.error || result.status === 2 ? null : readFileSync(to);
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function flipBits(bytes: Buffer, dice: Dice, times: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = times; left > 0; left--) {
    const at = dice.below(copy.length);
    copy[at] = dice.chance(0.5) ? copy[at]! ^ (1 << dice.below(8)) : dice.below(256);
  }
  return copy;
}

function randomRange(bytes: Buffer, dice: Dice): [number, number] {
  const from = dice.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + dice.below(dice.pick([8, 200, 5_000])))];
}

function replaceWord(bytes: Buffer, dice: Dice): Buffer {
  const text = bytes.toString('latin1');
  const start = dice.below(text.length);
  const wordPattern = /\/?\w+/g;
  wordPattern.lastIndex = start;
  const word = wordPattern.exec(text);
  if (!word) return flipBits(bytes, dice, 1);
  const oddToken = dice.pick(oddTokens);
  return Buffer.from(
    text.slice(0, word.index) + oddToken + text.slice(word.index + word[0].length),
    'latin1',
  );
}
