import { gzipSync } from 'node:zlib';
import { validBodies } from '../../../test/support/fixtures.ts';
import type { Dice } from '../dice.ts';
import { anyId, type Known } from './known.ts';
import type { Json, Media, Operation, Schema } from './schema.ts';
import type { Draft } from './spoil.ts';
import { type Makings, valueFor } from './values.ts';

/** A draft, and the value that its body was serialised from. */
export interface Made {
  draft: Draft;
  value: Json | undefined;
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
const pdf = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
const boundary = 'fuzz-1234';

/** Fills an operation with values: a request that is mostly valid. */
export function makeDraft(operation: Operation, of: Makings, known: Known): Made {
  const { dice } = of;
  const draft: Draft = {
    method: operation.method,
    path: pathFor(operation, of, known),
    query: [],
    headers: {},
    body: undefined,
  };
  for (const { name, in: where, required, schema, explode } of operation.parameters) {
    if (where === 'query' && (required || dice.chance(0.25))) {
      draft.query.push(...queryFor(name, schema, explode ?? true, of));
    }
    if (where === 'header' && (required || dice.chance(0.3))) {
      draft.headers[name.toLowerCase()] = headerFor(name, schema, draft.path, of, known);
    }
  }
  continueList(draft, dice, known);
  const value = fillBody(draft, operation, of, known);
  if (dice.chance(0.05)) draft.headers.range = dice.pick(['bytes=0-', 'bytes=0-9', 'bytes=-5']);
  return { draft, value };
}

/** The path, usually with resources that belong to each other. */
function pathFor(operation: Operation, of: Makings, known: Known): string {
  let template = operation.path;
  let begun = '';
  if (of.dice.chance(0.92)) {
    for (let end = template.lastIndexOf('}'); end > 0; end = template.lastIndexOf('}', end - 1)) {
      const path = known.pathOf(template.slice(0, end + 1), of.dice);
      if (path === undefined) continue;
      begun = path;
      template = template.slice(end + 1);
      break;
    }
  }
  const rest = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(valueFor(parameter?.schema ?? {}, of)));
  });
  return begun + rest;
}

function queryFor(name: string, schema: Schema, explode: boolean, of: Makings): [string, string][] {
  // Requests that wait would dominate the time of the run.
  if (name === 'wait_seconds') return [[name, of.dice.chance(0.02) ? '1' : '0']];
  if (name === 'limit') return [[name, String(of.dice.pick([1, 2, 3, 50, 200, 100_000]))]];
  const value = valueFor(schema, of);
  const list = Array.isArray(value) ? value : [value];
  const texts = list.map((one) => encodeURIComponent(String(one)));
  if (!Array.isArray(value) || !explode) return texts.length > 0 ? [[name, texts.join(',')]] : [];
  return texts.map((text) => [name, text]);
}

function headerFor(name: string, schema: Schema, path: string, of: Makings, known: Known): string {
  const { dice } = of;
  switch (name) {
    case 'If-Match':
    case 'If-None-Match':
      return dice.chance(0.7) ? (known.etag(path) ?? '*') : dice.pick(['*', '"1"', '"7"']);
    case 'Idempotency-Key':
      return `key-${dice.below(1e9)}`;
    case 'Upload-Length':
      return String(dice.pick([1, 10, 5_000]));
    case 'Upload-Offset':
      return String(dice.pick([0, 0, 1, 10]));
    case 'Upload-Metadata':
      return `filename ${Buffer.from(of.text()).toString('base64')}`;
    case 'Upload-Checksum':
      return `sha1 ${Buffer.alloc(20, dice.below(255)).toString('base64')}`;
    default:
      return encodeURIComponent(String(valueFor(schema, of))).slice(0, 200);
  }
}

/** Continues a list, with its own query or, incorrectly, another one. */
function continueList(draft: Draft, dice: Dice, known: Known): void {
  if (draft.method !== 'GET' || known.cursors.length === 0 || !dice.chance(0.15)) return;
  const begun = dice.pick(known.cursors);
  if (dice.chance(0.8)) {
    draft.path = begun.path;
    draft.query = [...begun.query];
  }
  draft.query = draft.query.filter(([name]) => name !== 'cursor');
  draft.query.push(['cursor', encodeURIComponent(begun.cursor)]);
}

function fillBody(draft: Draft, operation: Operation, of: Makings, known: Known): Json | undefined {
  const { dice } = of;
  const types = Object.keys(operation.consumes);
  if (types.length === 0) return undefined;
  const type = dice.pick(types);
  draft.headers['content-type'] = type;
  if (type === 'application/offset+octet-stream') {
    appendTo(draft, operation, dice, known);
    return undefined;
  }
  if (type === 'application/octet-stream') {
    draft.body = fileFor(of);
    draft.headers['x-filename'] ??= encodeURIComponent(`${of.text()}.pdf`);
    return undefined;
  }
  if (type === 'multipart/form-data') {
    draft.headers['content-type'] = `${type}; boundary=${boundary}`;
    draft.body = formFor(of);
    return undefined;
  }
  const value = bodyFor(operation, operation.consumes[type] ?? {}, of, known);
  tame(operation, value, dice);
  draft.body = JSON.stringify(value);
  return value;
}

/** The places of identifiers in bodies that have several forms. */
const places = ['', 'ids', 'updates', 'filter', 'object_id', 'query', 'cover', 'parent_id', 'add'];

/** A body by the schema, or one that is known to be valid, with existing resources. */
function bodyFor(operation: Operation, media: Media, of: Makings, known: Known): Json {
  const { dice } = of;
  const right = validBodies[operation.id];
  if (right && dice.chance(0.4)) {
    const [place, within] = [dice.pick(places), dice.pick(['', 'collection_id', 'filter'])];
    return JSON.parse(JSON.stringify(right(known.fixtures(dice), place, within)));
  }
  const { example, examples = {}, schema = {} } = media;
  const shown = [example, ...Object.values(examples).map(({ value }) => value)].flatMap((one) =>
    one === undefined ? [] : [one],
  );
  if (shown.length === 0 || !dice.chance(0.5)) return valueFor(schema, of);
  const text = JSON.stringify(dice.pick(shown));
  return JSON.parse(text.replace(anyId, (_id, prefix: string) => of.id(prefix)));
}

/**
 * Keeps changes that would lock out the whole project rare: policies that deny, keys that expire.
 */
function tame(operation: Operation, value: Json, dice: Dice): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (/Policy$/.test(operation.id) && value.mode !== undefined && dice.chance(0.9)) {
    value.mode = 'audit';
  }
}

function appendTo(draft: Draft, operation: Operation, dice: Dice, known: Known): void {
  draft.body = Buffer.alloc(dice.pick([0, 1, 9, 10, 4_999]), 97);
  if (operation.method === 'POST' || known.uploads.length === 0 || !dice.chance(0.8)) return;
  const begun = dice.pick(known.uploads);
  draft.path = begun.path;
  draft.headers['upload-offset'] = String(begun.offset);
}

function fileFor(of: Makings): Buffer {
  const { dice } = of;
  return dice.pick([
    () => png,
    () => Buffer.from(pdf),
    () => Buffer.from(`${of.text()} ${dice.below(1e6)}`),
    () => Buffer.from(Array.from({ length: dice.below(300) }, () => dice.below(256))),
    () => gzipSync(of.text()),
    () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><text>${of.text()}</text></svg>`),
    () => Buffer.concat([png, Buffer.from(of.text())]),
    () => Buffer.from(`<html><script>${of.text()}</script>`),
  ])();
}

function formFor(of: Makings): Buffer {
  const parts = [
    ...(of.dice.chance(0.5) ? [['tags', of.text()] as const] : []),
    ...(of.dice.chance(0.3) ? [['tags', 'harbour,ship'] as const] : []),
    ...(of.dice.chance(0.3) ? [['metadata', JSON.stringify({ a: of.text() })] as const] : []),
    ...(of.dice.chance(0.05) ? [['surprise', 'x'] as const] : []),
  ].map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
  );
  const disposition = `form-data; name="file"; filename="${of.text().replace(/["\\\r\n]/g, '')}.txt"`;
  return Buffer.concat([
    ...parts,
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    fileFor(of),
    Buffer.from(of.dice.chance(0.95) ? `\r\n--${boundary}--\r\n` : '\r\n'),
  ]);
}
