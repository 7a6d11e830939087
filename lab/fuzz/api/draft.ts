import { gzipSync } from 'node:zlib';
import { validBodies } from '../../../test/support/fixtures.ts';
import type { Dice } from '../dice.ts';
import type { Draft } from './corrupt.ts';
import { anyId, type KnownResources } from './known-resources.ts';
import type { Json, Media, Operation, Schema } from './schema.ts';
import { type ValueSources, valueFor } from './values.ts';

/** A draft, and the value that its body was serialised from. */
export interface DraftWithValue {
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
export function makeDraft(
  operation: Operation,
  sources: ValueSources,
  resources: KnownResources,
): DraftWithValue {
  const { dice } = sources;
  const draft: Draft = {
    method: operation.method,
    path: pathFor(operation, sources, resources),
    query: [],
    headers: {},
    body: undefined,
  };
  for (const { name, in: location, required, schema, explode } of operation.parameters) {
    if (location === 'query' && (required || dice.chance(0.25))) {
      draft.query.push(...queryFor(name, schema, explode ?? true, sources));
    }
    if (location === 'header' && (required || dice.chance(0.3))) {
      draft.headers[name.toLowerCase()] = headerFor(name, schema, draft.path, sources, resources);
    }
  }
  continueList(draft, dice, resources);
  const value = fillBody(draft, operation, sources, resources);
  if (dice.chance(0.05)) draft.headers.range = dice.pick(['bytes=0-', 'bytes=0-9', 'bytes=-5']);
  return { draft, value };
}

/** The path, usually with resources that belong to each other. */
function pathFor(operation: Operation, sources: ValueSources, resources: KnownResources): string {
  let template = operation.path;
  let prefix = '';
  if (sources.dice.chance(0.92)) {
    for (let end = template.lastIndexOf('}'); end > 0; end = template.lastIndexOf('}', end - 1)) {
      const path = resources.pathOf(template.slice(0, end + 1), sources.dice);
      if (path === undefined) continue;
      prefix = path;
      template = template.slice(end + 1);
      break;
    }
  }
  const suffix = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(valueFor(parameter?.schema ?? {}, sources)));
  });
  return prefix + suffix;
}

function queryFor(
  name: string,
  schema: Schema,
  explode: boolean,
  sources: ValueSources,
): [string, string][] {
  // Requests that wait would dominate the time of the run.
  if (name === 'wait_seconds') return [[name, sources.dice.chance(0.02) ? '1' : '0']];
  if (name === 'limit') return [[name, String(sources.dice.pick([1, 2, 3, 50, 200, 100_000]))]];
  const value = valueFor(schema, sources);
  const list = Array.isArray(value) ? value : [value];
  const texts = list.map((one) => encodeURIComponent(String(one)));
  if (!Array.isArray(value) || !explode) return texts.length > 0 ? [[name, texts.join(',')]] : [];
  return texts.map((text) => [name, text]);
}

function headerFor(
  name: string,
  schema: Schema,
  path: string,
  sources: ValueSources,
  resources: KnownResources,
): string {
  const { dice } = sources;
  switch (name) {
    case 'If-Match':
    case 'If-None-Match':
      return dice.chance(0.7) ? (resources.etagOf(path) ?? '*') : dice.pick(['*', '"1"', '"7"']);
    case 'Idempotency-Key':
      return `key-${dice.below(1e9)}`;
    case 'Upload-Length':
      return String(dice.pick([1, 10, 5_000]));
    case 'Upload-Offset':
      return String(dice.pick([0, 0, 1, 10]));
    case 'Upload-Metadata':
      return `filename ${Buffer.from(sources.text()).toString('base64')}`;
    case 'Upload-Checksum':
      return `sha1 ${Buffer.alloc(20, dice.below(255)).toString('base64')}`;
    default:
      return encodeURIComponent(String(valueFor(schema, sources))).slice(0, 200);
  }
}

/** Continues a list, with its own query or, incorrectly, another one. */
function continueList(draft: Draft, dice: Dice, resources: KnownResources): void {
  if (draft.method !== 'GET' || resources.cursors.length === 0 || !dice.chance(0.15)) return;
  const continued = dice.pick(resources.cursors);
  if (dice.chance(0.8)) {
    draft.path = continued.path;
    draft.query = [...continued.query];
  }
  draft.query = draft.query.filter(([name]) => name !== 'cursor');
  draft.query.push(['cursor', encodeURIComponent(continued.cursor)]);
}

function fillBody(
  draft: Draft,
  operation: Operation,
  sources: ValueSources,
  resources: KnownResources,
): Json | undefined {
  const { dice } = sources;
  const types = Object.keys(operation.consumes);
  if (types.length === 0) return undefined;
  const type = dice.pick(types);
  draft.headers['content-type'] = type;
  if (type === 'application/offset+octet-stream') {
    appendTo(draft, operation, dice, resources);
    return undefined;
  }
  if (type === 'application/octet-stream') {
    draft.body = fileFor(sources);
    draft.headers['x-filename'] ??= encodeURIComponent(`${sources.text()}.pdf`);
    return undefined;
  }
  if (type === 'multipart/form-data') {
    draft.headers['content-type'] = `${type}; boundary=${boundary}`;
    draft.body = formFor(sources);
    return undefined;
  }
  const value = bodyFor(operation, operation.consumes[type] ?? {}, sources, resources);
  keepProjectUsable(operation, value, dice);
  draft.body = JSON.stringify(value);
  return value;
}

/** The places of identifiers in bodies that have several forms. */
const idFields = [
  '',
  'ids',
  'updates',
  'filter',
  'object_id',
  'query',
  'cover',
  'parent_id',
  'add',
];

/** A body by the schema, or one that is known to be valid, with existing resources. */
function bodyFor(
  operation: Operation,
  media: Media,
  sources: ValueSources,
  resources: KnownResources,
): Json {
  const { dice } = sources;
  const makeValidBody = validBodies[operation.id];
  if (makeValidBody && dice.chance(0.4)) {
    const [place, within] = [dice.pick(idFields), dice.pick(['', 'collection_id', 'filter'])];
    return JSON.parse(JSON.stringify(makeValidBody(resources.fixtures(dice), place, within)));
  }
  const { example, examples = {}, schema = {} } = media;
  const documentedExamples = [
    example,
    ...Object.values(examples).map(({ value }) => value),
  ].flatMap((one) => (one === undefined ? [] : [one]));
  if (documentedExamples.length === 0 || !dice.chance(0.5)) return valueFor(schema, sources);
  const text = JSON.stringify(dice.pick(documentedExamples));
  return JSON.parse(text.replace(anyId, (_id, prefix: string) => sources.id(prefix)));
}

/**
 * Keeps changes that would lock out the whole project rare: policies that deny, keys that expire.
 */
function keepProjectUsable(operation: Operation, value: Json, dice: Dice): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (/Policy$/.test(operation.id) && value.mode !== undefined && dice.chance(0.9)) {
    value.mode = 'audit';
  }
}

function appendTo(draft: Draft, operation: Operation, dice: Dice, resources: KnownResources): void {
  draft.body = Buffer.alloc(dice.pick([0, 1, 9, 10, 4_999]), 97);
  if (operation.method === 'POST' || resources.uploads.length === 0 || !dice.chance(0.8)) return;
  const upload = dice.pick(resources.uploads);
  draft.path = upload.path;
  draft.headers['upload-offset'] = String(upload.offset);
}

function fileFor(sources: ValueSources): Buffer {
  const { dice } = sources;
  return dice.pick([
    () => png,
    () => Buffer.from(pdf),
    () => Buffer.from(`${sources.text()} ${dice.below(1e6)}`),
    () => Buffer.from(Array.from({ length: dice.below(300) }, () => dice.below(256))),
    () => gzipSync(sources.text()),
    () =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><text>${sources.text()}</text></svg>`),
    () => Buffer.concat([png, Buffer.from(sources.text())]),
    () => Buffer.from(`<html><script>${sources.text()}</script>`),
  ])();
}

function formFor(sources: ValueSources): Buffer {
  const parts = [
    ...(sources.dice.chance(0.5) ? [['tags', sources.text()] as const] : []),
    ...(sources.dice.chance(0.3) ? [['tags', 'harbour,ship'] as const] : []),
    ...(sources.dice.chance(0.3)
      ? [['metadata', JSON.stringify({ a: sources.text() })] as const]
      : []),
    ...(sources.dice.chance(0.05) ? [['surprise', 'x'] as const] : []),
  ].map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
  );
  const disposition = `form-data; name="file"; filename="${sources.text().replace(/["\\\r\n]/g, '')}.txt"`;
  return Buffer.concat([
    ...parts,
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    fileFor(sources),
    Buffer.from(sources.dice.chance(0.95) ? `\r\n--${boundary}--\r\n` : '\r\n'),
  ]);
}
