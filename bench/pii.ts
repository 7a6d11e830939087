/**
 * What the detector finds of structured identifiers, and what it takes for one.
 *
 *   npx tsx bench/pii.ts [identifiers of each type]
 *
 * The identifiers are made by `support/pii`, which shares no code with the recognisers, and stand in
 * sentences of six languages. A value counts as found where findings of its type cover nine tenths of
 * it and reach no further than that beyond it; as covered where findings of any type hide all of it.
 */

import type { Finding } from '../src/engines/pii/finding.ts';
import { createDetector } from '../src/engines/pii/index.ts';
import { type PatternType, patternTypes } from '../src/engines/pii/registry.ts';
import { numbersWithoutPeople } from './support/pii/numbers.ts';
import { randomFrom } from './support/pii/random.ts';
import { type Planted, plant } from './support/pii/sentences.ts';

const perType = Number(process.argv[2] ?? 200);
const detect = createDetector({
  entities: 'all',
  minConfidence: 0.5,
  customPatterns: [],
  allowList: [],
});

/** Whether a finding is the value: their overlap is nine tenths of both together. */
function matchesValue({ start, value }: Planted, finding: Finding): boolean {
  const end = start + value.length;
  const shared = Math.min(end, finding.end) - Math.max(start, finding.start);
  return shared / (Math.max(end, finding.end) - Math.min(start, finding.start)) >= 0.9;
}

function isCovered({ start, value }: Planted, findings: readonly Finding[]): boolean {
  return Array.from(value, (sign, index) => ({ sign, at: start + index })).every(
    ({ sign, at }) =>
      !/[\p{L}\p{N}]/u.test(sign) || findings.some((found) => found.start <= at && at < found.end),
  );
}

interface Recall {
  found: number;
  covered: number;
  missed: string[];
}

function recall(type: PatternType, seed: number, damage?: (value: string) => string): Recall {
  const random = randomFrom(seed);
  const result: Recall = { found: 0, covered: 0, missed: [] };
  for (let index = 0; index < perType; index += 1) {
    const planted = plant(random, type, damage);
    const findings = detect(planted.text, { recognised: damage !== undefined });
    const hit = findings.some((finding) => finding.type === type && matchesValue(planted, finding));
    if (hit) result.found += 1;
    else result.missed.push(planted.text);
    if (isCovered(planted, findings)) result.covered += 1;
  }
  return result;
}

/** Swaps one digit for a letter it is taken for, or splits a group with a space. */
function misread(seed: number): (value: string) => string {
  const random = randomFrom(seed);
  const confused: Readonly<Record<string, string>> = {
    '0': 'O',
    '1': 'lI',
    '5': 'S',
    '8': 'B',
    '2': 'Z',
  };
  return (value) => {
    const places = [...value.matchAll(/[01258]/g)].map(({ index }) => index);
    if (places.length > 0 && random.below(3) > 0) {
      const at = random.pick(places);
      const sign = random.pick([...(confused[value[at] ?? ''] ?? '')]);
      return value.slice(0, at) + sign + value.slice(at + 1);
    }
    const at = 1 + random.below(value.length - 1);
    return /\w\w/.test(value.slice(at - 1, at + 1))
      ? `${value.slice(0, at)} ${value.slice(at)}`
      : value;
  };
}
/** The types whose form is strict enough to see through a misread sign. */
const structured: readonly PatternType[] = patternTypes.filter(
  (type) =>
    ![
      'EMAIL_ADDRESS',
      'URL',
      'AGE',
      'SWIFT_CODE',
      'PASSPORT',
      'DRIVER_LICENSE',
      'CRYPTO',
      'IP_ADDRESS',
      'MAC_ADDRESS',
      'DATE_TIME',
      'DATE_OF_BIRTH',
      'PHONE_NUMBER',
      'US_BANK_NUMBER',
    ].includes(type),
);

const share = (part: number, whole = perType) => (part / whole).toFixed(3);
const show = Number(process.env.MISSED ?? 0);
let lowest: { type: string; value: number } = { type: '', value: 1 };
let [planted, found, covered] = [0, 0, 0];
console.log(`${'type'.padEnd(20)} recall  covered`);
for (const [index, type] of patternTypes.entries()) {
  const result = recall(type, 1000 + index);
  planted += perType;
  found += result.found;
  covered += result.covered;
  if (result.found / perType < lowest.value) lowest = { type, value: result.found / perType };
  console.log(`${type.padEnd(20)} ${share(result.found)}   ${share(result.covered)}`);
  for (const text of result.missed.slice(0, show)) console.log(`    ${JSON.stringify(text)}`);
}
console.log(
  `recall: ${share(found, planted)} of ${planted} identifiers, covered ${share(covered, planted)}, lowest ${lowest.value.toFixed(3)} (${lowest.type || 'none'})`,
);

let readFound = 0;
for (const [index, type] of structured.entries()) {
  const result = recall(type, 5000 + index, misread(index));
  readFound += result.found;
  if (result.found < perType) console.log(`misread ${type.padEnd(20)} ${share(result.found)}`);
  for (const text of result.missed.slice(0, show)) console.log(`    ${JSON.stringify(text)}`);
}
console.log(
  `recall misread: ${share(readFound, structured.length * perType)} of ${structured.length * perType} with one sign misread or a stray space`,
);

const numbers = numbersWithoutPeople(randomFrom(7), 4000);
const count = numbers.match(/\d[\d.,:/-]*/g)?.length ?? 0;
for (const recognised of [false, true]) {
  const hits = detect(numbers, { recognised });
  const byType = new Map<string, string[]>();
  for (const { type, start, end } of hits) {
    byType.set(type, [...(byType.get(type) ?? []), numbers.slice(start, end)]);
  }
  const told = [...byType].map(([type, values]) => `${type} ${values.length} (${values[0]})`);
  console.log(
    `false hits${recognised ? ' as if misread' : ''}: ${hits.length} in ${count} numbers (${((1000 * hits.length) / count).toFixed(2)} of a thousand): ${told.join(', ')}`,
  );
}

const prose =
  'The committee met in the old hall to hear what the engineers had found, and decided that nothing was to be changed before the end of the year. '.repeat(
    4000,
  );
for (const [name, text] of [
  ['prose', prose],
  ['numbers', numbers],
] as const) {
  for (const recognised of [false, true]) {
    detect(text.slice(0, 50_000), { recognised });
    const before = process.cpuUsage();
    detect(text, { recognised });
    const { user, system } = process.cpuUsage(before);
    const rate = (1000 * text.length) / (user + system);
    console.log(
      `speed, ${name}${recognised ? ', read from pictures' : ''}: ${Math.round(rate)} thousand characters a CPU-second`,
    );
  }
}
