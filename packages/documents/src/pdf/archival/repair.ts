import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPageLeaf,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { decodeStream } from '../streams.ts';
import { isAllowedAction, isForbiddenAnnotation, printableFlags } from './annotations.ts';
import { annotationsOf } from './parts.ts';
import { dictAt, entriesAt, has, itemsAt, nameAt, namesAt, numberAt } from './values.ts';

/** The kinds of removed content that PDF/A does not allow. */
type RemovedContent = Set<'attachments' | 'scripts and actions' | 'annotations' | 'form data'>;

const key = PDFName.of;

/** Deletes entries; returns whether the dictionary had any of them. */
function deleteEntries(dict: PDFDict, ...names: readonly string[]): boolean {
  return names.filter((name) => dict.delete(key(name))).length > 0;
}

function repairCatalog(document: PDFDocument, removed: RemovedContent): void {
  const { catalog } = document;
  const names = dictAt(catalog, 'Names');
  if (names) {
    if (deleteEntries(names, 'EmbeddedFiles')) removed.add('attachments');
    if (deleteEntries(names, 'JavaScript')) removed.add('scripts and actions');
    deleteEntries(names, 'AlternatePresentations', 'Renditions');
  }
  if (deleteEntries(catalog, 'AF', 'Collection')) removed.add('attachments');
  if (deleteEntries(catalog, 'AA')) removed.add('scripts and actions');
  deleteEntries(
    catalog,
    'Requirements',
    'Perms',
    'Legal',
    'NeedsRendering',
    'Metadata',
    'OutputIntents',
  );
  const openAction = dictAt(catalog, 'OpenAction');
  if (openAction && !isAllowedAction(openAction) && deleteEntries(catalog, 'OpenAction')) {
    removed.add('scripts and actions');
  }
  const form = dictAt(catalog, 'AcroForm');
  if (form) {
    if (deleteEntries(form, 'XFA')) removed.add('form data');
    deleteEntries(form, 'NeedAppearances');
  }
  repairLayers(dictAt(catalog, 'OCProperties'));
}

/** Names every configuration of layers, and removes changes by usage (6.9). */
function repairLayers(layers: PDFDict | undefined): void {
  if (!layers) return;
  const defaultConfiguration = dictAt(layers, 'D');
  const configurations = [defaultConfiguration, ...itemsAt(layers, 'Configs')];
  configurations.forEach((configuration, at) => {
    if (!(configuration instanceof PDFDict)) return;
    configuration.set(key('Name'), PDFHexString.fromText(at === 0 ? 'Default' : `Layers ${at}`));
    deleteEntries(configuration, 'AS', 'Order');
  });
}

/**
 * Removes forbidden entries of annotations, and annotations that are hidden or that PDF/A does not
 * define.
 */
function repairAnnotations(leaf: PDFPageLeaf, removed: RemovedContent): void {
  const array = leaf.lookup(key('Annots'));
  if (!(array instanceof PDFArray)) return;
  for (let at = array.size() - 1; at >= 0; at -= 1) {
    const annotation = array.lookup(at);
    if (!(annotation instanceof PDFDict) || isForbiddenAnnotation(annotation)) {
      array.remove(at);
      removed.add('annotations');
    }
  }
  for (const annotation of annotationsOf(leaf)) {
    const isWidget = nameAt(annotation, 'Subtype') === 'Widget';
    const action = dictAt(annotation, 'A');
    if (action && (isWidget || !isAllowedAction(action))) {
      deleteEntries(annotation, 'A');
      removed.add('scripts and actions');
    }
    if (deleteEntries(annotation, 'AA')) removed.add('scripts and actions');
    const appearances = dictAt(annotation, 'AP');
    if (appearances) deleteEntries(appearances, 'D', 'R');
    annotation.set(key('F'), PDFNumber.of(printableFlags(numberAt(annotation, 'F') ?? 0)));
  }
}

/** Removes forbidden actions of outlines, fields and other objects. */
function repairActions(dict: PDFDict, removed: RemovedContent): void {
  const action = dict.has(key('A')) ? dictAt(dict, 'A') : undefined;
  if (action && has(action, 'S') && !isAllowedAction(action)) {
    deleteEntries(dict, 'A');
    removed.add('scripts and actions');
  }
  if (dict.lookup(key('AA')) instanceof PDFDict && deleteEntries(dict, 'AA')) {
    removed.add('scripts and actions');
  }
}

/** Repairs an image without changing its appearance. */
function repairImage(dict: PDFDict): void {
  if (nameAt(dict, 'Subtype') !== 'Image') return;
  deleteEntries(dict, 'Alternates', 'OPI');
  if (dict.has(key('Interpolate'))) dict.set(key('Interpolate'), PDFBool.False);
}

/** Adds the map that readers assume by default to a font that has none. */
function repairFont(dict: PDFDict): void {
  if (nameAt(dict, 'Subtype') === 'CIDFontType2' && !has(dict, 'CIDToGIDMap')) {
    dict.set(key('CIDToGIDMap'), key('Identity'));
  }
}

/** Removes transfer functions and halftones. They affect printers only, not the display. */
function repairStates(resources: PDFDict): void {
  for (const [, state] of entriesAt(resources, 'ExtGState')) {
    if (state instanceof PDFDict) deleteEntries(state, 'TR', 'TR2', 'HT', 'HTP');
  }
}

/**
 * Returns the stream without LZW compression. Returns the same stream if it has none or cannot be
 * decoded.
 */
function withoutLzw(context: PDFContext, stream: PDFStream): PDFStream {
  if (!namesAt(stream.dict, 'Filter').includes('LZWDecode')) return stream;
  const bytes = decodeStream(stream);
  if (!bytes) return stream;
  const plain = context.flateStream(bytes);
  for (const [name, value] of stream.dict.entries()) {
    const isCoding = ['Length', 'Filter', 'DecodeParms'].includes(name.decodeText());
    if (!isCoding) plain.dict.set(name, value);
  }
  return plain;
}

/** Yields all dictionaries inside a value, except those of other indirect objects. */
function* dictsIn(value: PDFObject): Generator<PDFDict> {
  const pending: PDFObject[] = [value];
  for (let current = pending.pop(); current; current = pending.pop()) {
    if (current instanceof PDFRef) continue;
    if (current instanceof PDFArray) pending.push(...current.asArray());
    const dict = current instanceof PDFStream ? current.dict : current;
    if (!(dict instanceof PDFDict)) continue;
    yield dict;
    pending.push(...dict.values());
  }
}

/**
 * Removes or rewrites content that PDF/A-2b does not allow, without changing how pages look:
 * scripts, actions, attachments, hidden annotations and printer hints. Returns the kinds of removed
 * content.
 */
export function repair(document: PDFDocument): RemovedContent {
  const removed: RemovedContent = new Set();
  const { context } = document;
  repairCatalog(document, removed);
  for (const { node } of document.getPages()) {
    if (deleteEntries(node, 'AA')) removed.add('scripts and actions');
    deleteEntries(node, 'PresSteps');
    repairAnnotations(node, removed);
  }
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFStream) {
      const plain = withoutLzw(context, object);
      if (plain !== object) context.assign(ref, plain);
    }
    for (const dict of dictsIn(object)) {
      repairActions(dict, removed);
      repairImage(dict);
      repairFont(dict);
      if (dict.has(key('ExtGState'))) repairStates(dict);
    }
  }
  return removed;
}
