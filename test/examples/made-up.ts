import { createHash } from 'node:crypto';
import { idPrefixes } from '@scriptorium/contracts/ids';

const prefixes = Object.values(idPrefixes).join('|');
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** The replacement for a recent time, by the name of its field. */
const times: Record<string, string> = {
  updated_at: '2026-03-02T09:31:00.000Z',
  started_at: '2026-03-02T09:30:01.000Z',
  finished_at: '2026-03-02T09:30:05.000Z',
  published_at: '2026-03-02T09:30:02.000Z',
  expires_at: '2026-03-03T09:30:00.000Z',
  next_attempt_at: '2026-03-02T09:35:00.000Z',
};
const someTime = '2026-03-02T09:30:00.000Z';

/** Numbers that differ in every run, by the name of their field. */
const numbers: Record<string, number> = {
  duration_ms: 48,
  eta_seconds: 4,
  mean_ms: 61.5,
  p50_ms: 48,
  p95_ms: 140,
};

/** The programs of the machine that certificates name. */
const versions: Record<string, string> = { node: '20.20.2', tesseract: '5.3.0' };

const timings = { dns: 4, connect: 9, tls: 18, first_byte: 46.2, total: 48.1 };

/**
 * Returns a function that replaces values that differ in every run with made-up ones, always with
 * the same one for the same value. Works on JSON and on any other text.
 * @param fixed further replacements, such as the URL of the API
 */
export function createMadeUp(fixed: Record<string, string>): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const madeUp = (kind: string, value: string, make: (seed: string) => string): string => {
    const there = known.get(value);
    if (there !== undefined) return there;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const made = make(`${kind} ${count}`);
    known.set(value, made);
    // Replaced values stay the same when they occur again.
    known.set(made, made);
    return made;
  };
  return (text) => {
    let told = text;
    for (const [real, shown] of Object.entries(fixed)) told = told.replaceAll(real, shown);
    return (
      told
        .replace(/\bsk_([0-9A-Za-z]{8})(_[0-9A-Za-z]{38})?/g, (_all, id: string, rest?: string) => {
          const shown = `sk_${madeUp('key id', id, (seed) => letters(seed, 8))}`;
          return rest ? `${shown}_${madeUp('secret', rest, (seed) => letters(seed, 38))}` : shown;
        })
        .replace(/\b(whsec|whpk)_[A-Za-z0-9+/]{32,}=*/g, (value, prefix: string) =>
          madeUp(prefix, value, (seed) => `${prefix}_${digest(seed).toString('base64')}`),
        )
        // Signed values: cursors, and the tokens of URLs.
        .replace(/[\w-]{20,}\.[\w-]{22}(?![\w-])/g, (value) =>
          madeUp('token', value, (seed) => digest(seed).toString('base64url')),
        )
        .replace(new RegExp(`\\b(${prefixes})_[0-7][${alphabet}]{25}\\b`, 'g'), (value, prefix) =>
          madeUp(prefix, value, (seed) => madeUpId(prefix, seed)),
        )
        .replace(/\b(v1a?,)[A-Za-z0-9+/]{40,}=*/g, (_all, version: string) => {
          return version + digest('signature').toString('base64');
        })
        // Certificates: their keys and signatures.
        .replace(
          /"[0-9a-f]{16}"(?=,"(?:algorithm|public_key|value)":)/g,
          () => `"${hex('key', 16)}"`,
        )
        .replace(
          /("(?:public_key|value)":")[A-Za-z0-9+/]{43,86}={1,2}"/g,
          (_all, field: string) => {
            return `${field}${digest('signed').toString('base64')}"`;
          },
        )
        // What the machine has, and weights that are trained again.
        .replace(/("(node|tesseract)":")(?:tesseract\.js )?\d[^"]*/g, (_all, field, name) => {
          return field + versions[name];
        })
        .replace(/("(\w+_weights)":"sha256:)[0-9a-f]{64}/g, (_all, field: string, name: string) => {
          return field + hex(name, 64);
        })
        // Packs name their documents by identifiers.
        .replace(
          /("mime":"application\/zip","bytes":)\d+(,"sha256":")[0-9a-f]{64}/g,
          (...[, a, b]) => {
            return `${a}3673${b}${hex('pack', 64)}`;
          },
        )
        .replace(/("webhook-timestamp":")\d+/g, '$11772443800')
        .replace(/"timings":\{[^}]*\}/g, `"timings":${JSON.stringify(timings)}`)
        // The rest of the current minute; other waits are chosen by the API.
        .replace(/("status":429,"headers":\{[^}]*"retry-after":")\d+/g, '$137')
        .replace(/("(\w+)\\?":)\d+(?:\.\d+)?/g, (all, field: string, name: string) =>
          Object.hasOwn(numbers, name) ? `${field}${numbers[name]}` : all,
        )
        .replace(
          /(?:"(\w+)\\?":\\?")?(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g,
          (all, name: string | undefined, time: string) =>
            isRecent(time) ? all.replace(time, times[name ?? ''] ?? someTime) : all,
        )
        .replace(/("day\\?":\\?")(20\d\d-\d\d-\d\d)/g, (_all, field: string, day: string) => {
          return field + madeUp('day', day, (seed) => `2026-03-0${seed.slice(-1)}`);
        })
        .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'Tue, 03 Mar 2026 09:30:00 GMT')
    );
  };
}

/** Times that were written by hand are far from now, in either direction. */
function isRecent(time: string): boolean {
  return Math.abs(Date.parse(time) - Date.now()) < 40 * 24 * 3_600_000;
}

function digest(seed: string): Buffer {
  return createHash('sha256').update(seed).digest();
}

function hex(seed: string, length: number): string {
  return digest(seed).toString('hex').slice(0, length);
}

function letters(seed: string, length: number): string {
  const all = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return [...digest(seed), ...digest(`${seed} more`)]
    .slice(0, length)
    .map((byte) => all[byte % all.length])
    .join('');
}

/** An ID as of March 2026. */
function madeUpId(prefix: string, seed: string): string {
  const rest = [...digest(seed)].slice(0, 16).map((byte) => alphabet[byte % 32]);
  return `${prefix}_01kjq8t4c0${rest.join('')}`;
}
