import type { Dice } from '../dice.ts';
import type { Json } from './schema.ts';

/** A request before it is sent. Paths and JSON texts are in the form in which they are sent. */
export interface Draft {
  method: string;
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** JSON texts that replace a value. */
const oddValues = [
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '0.1',
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e-400',
  '2147483648',
  '9223372036854775808',
  '""',
  '" "',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '"NaN"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\u202e\\u2066"',
  '"\ufeff"',
  '"\'; DROP TABLE job; --"',
  '"%s%n"',
  '"../../etc/passwd"',
  '"{{7*7}}"',
  '"*"',
  '"null"',
  '{"__proto__":{"admin":true}}',
  '{"a":{"$ref":"#"}}',
  '"2026-02-30T25:61:00Z"',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59.999Z"',
  '"+275760-09-13T00:00:00Z"',
  `"${'x'.repeat(70_000)}"`,
  `"${'é'.repeat(3_000)}"`,
  `${'['.repeat(33)}${']'.repeat(33)}`,
  `[${'1,'.repeat(3_000)}1]`,
  '"👩‍👩‍👧‍👦"',
];
const wholeBodies: (string | Buffer)[] = [
  '',
  ' ',
  'hello',
  '{',
  '{"name":"x"',
  'null',
  '[]',
  '1',
  '"x"',
  "{'a':1}",
  '{"a":NaN}',
  '{}',
  '{}{}',
  '{"a":1,}',
  '{"a":1}garbage',
  '\ufeff{}',
  '{"a":1,"a":2}',
  '[1,2',
  `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
  '['.repeat(100_000),
  `{"a":[${'1,'.repeat(60_000)}1]}`,
  Buffer.from('{"name":"x"}', 'utf16le'),
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  Buffer.from('{"na\0me":"\0"}'),
];
const oddIds = [
  'obj_',
  'null',
  '%00',
  '..%2f..%2fetc',
  '%252e',
  '%zz',
  "'%20OR%201=1",
  'x'.repeat(3_000),
  '%E2%80%AE',
  '%ff',
  '0',
  '-1',
  '99999999999999999999',
  '%20',
  '.',
  '..',
  '{id}',
  '*',
  '%2F',
];
const oddQueries: [string, string][] = [
  ...([
    ['surprise', '1'],
    ['a[b]', 'c'],
    ['', ''],
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '99999999999999999999'],
    ['limit', '1e3'],
    ['cursor', 'garbage'],
    ['cursor', 'a'.repeat(1_025)],
    ['include', 'total,total'],
    ['sort', 'id;--'],
    ['q', '%00'],
    ['q', '%ff%fe'],
    ['q', '%zz'],
    ['q', "%22unclosed%20AND%20(-*'"],
    ['q', '%F0%9F%91%A9'.repeat(60)],
    ['created_after', '2026-02-30'],
    ['bbox', '180,90,-180,-90'],
  ] as [string, string][]),
];
/** Headers with values that a server must handle. */
const oddHeaders: [string, string][] = [
  ['if-match', '"999"'],
  ['if-match', '"'],
  ['if-match', '*, "1"'],
  ['if-match', `"1"${', "2"'.repeat(500)}`],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"1", "2"'],
  ['if-none-match', 'garbage'],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=0-0'],
  ['range', 'bytes=-1'],
  ['range', 'bytes=5-1'],
  ['range', 'bytes=0-0,2-3,-1'],
  ['range', 'bytes=99999999999999999999-'],
  ['range', 'lines=1-2'],
  ['if-range', '"x"'],
  ['accept', 'image/png'],
  ['accept', '*/*;q=0'],
  ['accept', 'text/event-stream'],
  ['accept', ',;q=,/'],
  ['accept-encoding', 'br;q=1, *;q=0'],
  ['accept-language', '\u00ff'],
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['content-type', 'multipart/form-data'],
  ['content-type', 'multipart/form-data; boundary='],
  ['content-type', ';;;'],
  ['content-encoding', 'gzip'],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(256)],
  ['idempotency-key', 'caf\u00e9'],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer sk_aaaaaaaa_x'],
  ['authorization', 'Basic YTpi'],
  ['x-service-project-id', ''],
  ['x-service-project-id', 'prj_00000000000000000000000000'],
  ['x-request-id', '\u00ff<script>'],
  ['x-forwarded-for', 'garbage, ::1, 300.1.1.1'],
  ['x-http-method-override', 'DELETE'],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['cookie', 'portal=garbage; portal=s2.x'],
  ['traceparent', '00-zz-zz-zz'],
  ['upload-length', '-1'],
  ['upload-offset', '1e9'],
  ['upload-metadata', 'filename ====,,'],
  ['upload-checksum', 'md5 x'],
  ['tus-resumable', '0.2.2'],
  ['upload-defer-length', '1'],
  ['x-filename', '..%2f%00'],
  ['x-filename', '%zz'],
  ['last-event-id', '-1'],
];
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND'];

/**
 * Corrupts a draft in one place. Returns whether its path or method may no longer exist in the API.
 */
export function corrupt(draft: Draft, value: Json | undefined, dice: Dice): boolean {
  const kind = dice.below(value === undefined ? 4 : 8);
  if (kind === 0) draft.query.push(dice.pick(oddQueries));
  else if (kind === 1) {
    const [name, headerValue] = dice.pick(oddHeaders);
    draft.headers[name] = headerValue;
  } else if (kind === 2) return corruptPath(draft, dice);
  else if (kind === 3 && draft.query.length > 0) {
    const at = dice.below(draft.query.length);
    const [name] = draft.query[at]!;
    draft.query[at] = [name, dice.pick(['', '%00', 'x', '-1', '%ff', '1&1', '1.5', 'null'])];
    if (dice.chance(0.3)) draft.query.push(draft.query[at]!);
  } else if (kind === 4) draft.body = dice.pick(wholeBodies);
  else if (value !== undefined) draft.body = corruptJson(value, dice);
  return false;
}

function corruptPath(draft: Draft, dice: Dice): boolean {
  const steps = draft.path.split('/');
  const ids = steps.flatMap((step, at) => (/^[a-z]{3,4}_/.test(step) ? [at] : []));
  if (ids.length > 0 && dice.chance(0.8)) steps[dice.pick(ids)] = dice.pick(oddIds);
  else if (dice.chance(0.5)) draft.method = dice.pick(methods);
  else steps.push(dice.pick(['', 'x', '%2e%2e', '..', ';x=1', '%00']));
  draft.path = steps.join('/');
  return true;
}

/** The text of a value with one unusual place. */
function corruptJson(value: Json, dice: Dice): string {
  const positions = positionsIn(value);
  const chosen = dice.pick(positions);
  const placeholder = '"@odd@"';
  const kind = dice.below(4);
  if (chosen.parent && kind === 0) {
    const { parent: within, name } = chosen;
    if (Array.isArray(within)) within.splice(Number(name), 1);
    else delete within[name];
    return JSON.stringify(value);
  }
  if (chosen.parent && !Array.isArray(chosen.parent) && kind === 1) {
    const name = dice.pick([
      'surprise',
      '__proto__',
      'constructor',
      'id',
      'project_id',
      chosen.name,
    ]);
    chosen.parent['@name@'] = 1;
    return JSON.stringify(value).replace('"@name@":1', `${JSON.stringify(name)}:1`);
  }
  if (!chosen.parent) return dice.pick(oddValues);
  if (Array.isArray(chosen.parent)) chosen.parent[Number(chosen.name)] = '@odd@';
  else chosen.parent[chosen.name] = '@odd@';
  const oddValue = dice.pick(oddValues);
  return JSON.stringify(value).replace(placeholder, () => oddValue);
}

interface ValuePosition {
  parent: Json[] | { [name: string]: Json } | null;
  name: string;
}

function positionsIn(
  value: Json,
  within: ValuePosition['parent'] = null,
  name = '',
): ValuePosition[] {
  const position: ValuePosition = { parent: within, name };
  if (typeof value !== 'object' || value === null) return [position];
  return [
    position,
    ...Object.entries(value).flatMap(([key, part]) => positionsIn(part, value, key)),
  ];
}
