import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFPageLeaf,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { measureNesting, stripInvisibleText } from './content-stream.ts';
import { decodeStream } from './streams.ts';

type ContentStream = PDFRef | PDFStream;

/**
 * Returns a copy of a dictionary, because changes to inherited or shared entries would affect other
 * pages.
 */
function copyDictionary(context: PDFContext, source: PDFDict | undefined): PDFDict {
  const copy = PDFDict.withContext(context);
  for (const [key, value] of source?.entries() ?? []) copy.set(key, value);
  return copy;
}

/** Adds an entry to one kind of resources (`Font`, `XObject`), for this page only. */
export function addResource(
  context: PDFContext,
  leaf: PDFPageLeaf,
  kind: string,
  name: string,
  value: PDFRef,
): void {
  const inherited = leaf.Resources();
  const resources = copyDictionary(context, inherited);
  const entries = copyDictionary(context, inherited?.lookupMaybe(PDFName.of(kind), PDFDict));
  entries.set(PDFName.of(name), value);
  resources.set(PDFName.of(kind), entries);
  leaf.set(PDFName.Resources, resources);
}

/** Returns the content streams of a page in order, without entries of other types. */
function contentStreamsOf(context: PDFContext, leaf: PDFPageLeaf): ContentStream[] {
  const raw = leaf.get(PDFName.Contents);
  const value = raw instanceof PDFRef ? context.lookup(raw) : raw;
  if (value instanceof PDFStream) return [raw instanceof PDFRef ? raw : value];
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().filter((item): item is ContentStream => {
    const isStream = item instanceof PDFRef && context.lookup(item) instanceof PDFStream;
    return isStream || item instanceof PDFStream;
  });
}

/** Replaces the list of content streams of a page. The streams may be shared. */
export function setContents(
  context: PDFContext,
  leaf: PDFPageLeaf,
  streams: readonly ContentStream[],
): void {
  const contents = PDFArray.withContext(context);
  for (const part of streams) contents.push(part instanceof PDFRef ? part : context.register(part));
  leaf.set(PDFName.Contents, contents);
}

function decode(context: PDFContext, content: ContentStream): Uint8Array | undefined {
  const stream = content instanceof PDFRef ? context.lookup(content) : content;
  return stream instanceof PDFStream ? decodeStream(stream) : undefined;
}

/** Returns the complete content of a page: its streams, joined by line ends. */
function joinContents(context: PDFContext, streams: readonly ContentStream[]): Buffer | undefined {
  const chunks: Uint8Array[] = [];
  for (const part of streams) {
    const bytes = decode(context, part);
    if (!bytes) return undefined;
    chunks.push(bytes, Buffer.from('\n'));
  }
  return Buffer.concat(chunks);
}

/**
 * Adds operators after a page's content. The content is not changed but enclosed in q and Q;
 * `before` is placed between q and the content. Graphics states that the content leaves open are
 * closed. Content with more Q than q would close the enclosing q and look different, so the
 * operators are then placed before the content, in a separate graphics state.
 */
export function surround(
  context: PDFContext,
  leaf: PDFPageLeaf,
  before: string,
  after: string,
): void {
  const streams = contentStreamsOf(context, leaf);
  const bytes = joinContents(context, streams);
  const { lowest, end } = bytes ? measureNesting(bytes) : { lowest: 0, end: 0 };
  if (lowest < 0 && before === '') {
    const first = context.register(context.flateStream(`q\n${after}Q\n`));
    setContents(context, leaf, [first, ...streams]);
    return;
  }
  const opening = `${'q '.repeat(1 - lowest)}${before}\n`;
  const closing = `\n${'Q '.repeat(Math.max(1, end + 1 - lowest))}\n${after}`;
  setContents(context, leaf, [
    context.register(context.stream(opening)),
    ...streams,
    context.register(context.flateStream(closing)),
  ]);
}

const maxFormDepth = 5;

/** Returns a form without its invisible text; undefined if it has none. */
function stripForm(
  context: PDFContext,
  form: PDFStream,
  mode: number,
  depth: number,
): PDFRef | undefined {
  const bytes = decode(context, form);
  if (!bytes || depth > maxFormDepth) return undefined;
  const stripped = stripInvisibleText(bytes, mode);
  const resources = form.dict.lookupMaybe(PDFName.Resources, PDFDict);
  const innerResources = stripForms(context, resources, stripped.forms, depth + 1);
  if (!stripped.changed && !innerResources) return undefined;
  const copy = context.flateStream(stripped.bytes);
  for (const [key, value] of form.dict.entries()) {
    const name = key.asString();
    if (!['/Length', '/Filter', '/DecodeParms'].includes(name)) copy.dict.set(key, value);
  }
  if (innerResources) copy.dict.set(PDFName.Resources, innerResources);
  return context.register(copy);
}

/** Returns the resources with forms without invisible text; undefined if nothing changes. */
function stripForms(
  context: PDFContext,
  resources: PDFDict | undefined,
  forms: ReadonlyMap<string, number>,
  depth: number,
): PDFDict | undefined {
  const objects = resources?.lookupMaybe(PDFName.of('XObject'), PDFDict);
  if (!resources || !objects) return undefined;
  const strippedObjects = copyDictionary(context, objects);
  let changed = false;
  for (const [name, mode] of forms) {
    const key = PDFName.of(name);
    const form = objects.lookup(key);
    if (!(form instanceof PDFStream)) continue;
    if (form.dict.lookup(PDFName.of('Subtype')) !== PDFName.of('Form')) continue;
    const strippedForm = stripForm(context, form, mode, depth);
    if (!strippedForm) continue;
    strippedObjects.set(key, strippedForm);
    changed = true;
  }
  if (!changed) return undefined;
  const copy = copyDictionary(context, resources);
  copy.set(PDFName.of('XObject'), strippedObjects);
  return copy;
}

/** Removes invisible text (render mode 3) from a page and the forms that it draws. */
export function removeInvisibleText(context: PDFContext, leaf: PDFPageLeaf): void {
  const streams = contentStreamsOf(context, leaf);
  const bytes = joinContents(context, streams);
  if (!bytes) return;
  const stripped = stripInvisibleText(bytes);
  const resources = stripForms(context, leaf.Resources(), stripped.forms, 0);
  if (stripped.changed) {
    setContents(context, leaf, [context.register(context.flateStream(stripped.bytes))]);
  }
  if (resources) leaf.set(PDFName.Resources, resources);
}
