import { EngineError } from '@scriptorium/sandbox/errors';
import { type FormField, readFields, rectOf } from './form-fields.ts';
import { frameOf } from './page-frame.ts';
import { type PdfDocument, withPage, withSlots } from './pdfium.ts';
import { unreadOnPage } from './unread.ts';

/** Subtypes and flags FPDF_ANNOT_* in PDFium's public headers (PDF 32000-1 §12.5.3). */
const link = 2;
const popup = 16;
const widget = 20;
const notDrawn = 0x01 | 0x02 | 0x20; // Invisible, Hidden, NoView
const normalAppearance = 0;
/** FPDFPage_Flatten: FLATTEN_FAIL, and flattening for display. */
const flattenFailed = 0;
const forScreen = 0;

/** The form fields of prepared pages, which are now part of the content. */
const fields = new WeakMap<PdfDocument, Map<number, FormField[]>>();

/** Returns the form fields that a page had before it was prepared. */
export function fieldsOf(document: PdfDocument, number: number): readonly FormField[] {
  return fields.get(document)?.get(number) ?? [];
}

/** The kinds of content of prepared pages that were not read. */
const unread = new WeakMap<PdfDocument, Map<number, string[]>>();

/**
 * Returns the kinds of content of a page that are not read, as they were before the page was
 * prepared. Includes values of fields that cannot be displayed.
 */
export function unreadOnPrepared(document: PdfDocument, number: number, page: number): string[] {
  const found = unread.get(document)?.get(number) ?? unreadOnPage(document, page);
  return hasUnshownValues(document, number) ? [...found, 'form fields'] : found;
}

/**
 * Prepares page `number` (1-based) of an open document to match what readers display: visible
 * annotations and form fields become part of the content, and hidden ones are removed. Text is
 * read, found and removed on prepared pages. The document is changed in memory, so load pages after
 * this call. A second call has no effect.
 * @throws EngineError if the page cannot be prepared.
 */
export async function preparePage(document: PdfDocument, number: number): Promise<void> {
  const { pdfium } = document;
  await withPage(document, number, (page) => {
    const count = pdfium.FPDFPage_GetAnnotCount(page);
    if (count === 0) return;
    const known = unread.get(document) ?? new Map<number, string[]>();
    unread.set(document, known.set(number, unreadOnPage(document, page)));
    for (let index = count - 1; index >= 0; index -= 1) {
      const lost = (): unknown => pagesOf(document).add(number);
      if (!isDrawn(document, page, index, lost)) pdfium.FPDFPage_RemoveAnnot(page, index);
    }
    if (pdfium.FPDFPage_GetAnnotCount(page) === 0) return;
    const frame = frameOf(document, page);
    const knownFields = fields.get(document) ?? new Map<number, FormField[]>();
    fields.set(document, knownFields.set(number, readFields(document, page, frame)));
    // Flattening reads the boxes of the page object only, and assumes Letter if they are inherited.
    const { left, bottom, width, height } = frame;
    pdfium.FPDFPage_SetMediaBox(page, left, bottom, left + width, bottom + height);
    pdfium.FPDFPage_SetCropBox(page, left, bottom, left + width, bottom + height);
    if (pdfium.FPDFPage_Flatten(page, forScreen) === flattenFailed) {
      throw new EngineError('damaged', 'The annotations of a page cannot be read.');
    }
  });
}

/** The pages of each document that have fields whose values cannot be displayed. */
const unshown = new WeakMap<PdfDocument, Set<number>>();

function pagesOf(document: PdfDocument): Set<number> {
  const known = unshown.get(document) ?? new Set<number>();
  unshown.set(document, known);
  return known;
}

/**
 * Whether a prepared page has a field whose value is missing from its appearance and cannot be
 * written with the fonts of the form.
 */
export const hasUnshownValues = (document: PdfDocument, number: number): boolean =>
  unshown.get(document)?.has(number) ?? false;

/** Runs `use` with page `number` loaded and prepared. Pages without annotations are loaded once. */
export async function withPreparedPage<T>(
  document: PdfDocument,
  number: number,
  use: (page: number) => Promise<T>,
): Promise<T> {
  const used = await withPage(document, number, async (page) =>
    document.pdfium.FPDFPage_GetAnnotCount(page) === 0 ? { result: await use(page) } : undefined,
  );
  if (used) return used.result;
  await preparePage(document, number);
  return withPage(document, number, use);
}

/** Whether a loaded page has annotations or form fields that may be visible. */
export function hasAnnotations({ pdfium }: PdfDocument, page: number): boolean {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (subtype !== link && subtype !== popup) return true;
  }
  return false;
}

/**
 * Whether an annotation is visible. A field whose appearance is missing or empty gets an
 * appearance. Calls `lost` if the new appearance does not show the value either.
 */
function isDrawn(document: PdfDocument, page: number, index: number, lost: () => unknown): boolean {
  const { pdfium } = document;
  const made = withAnnotation(document, page, index, (annotation) => {
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    if (subtype === popup || (pdfium.FPDFAnnot_GetFlags(annotation) & notDrawn) !== 0) return false;
    // The visibility of layers is unknown here: annotations in a layer count as hidden.
    if (pdfium.FPDFAnnot_HasKey(annotation, 'OC') || hasNoArea(document, annotation)) return false;
    const hasAppearance = pdfium.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance);
    if (subtype !== widget) {
      return hasAppearance || pdfium.EPDFAnnot_GenerateAppearance(annotation);
    }
    const button = isButton(document, annotation);
    if (hasAppearance && (button || showsSomething(document, annotation))) return true;
    const isMade = pdfium.EPDFAnnot_GenerateFormFieldAP(annotation);
    // An empty text has two bytes, its terminator.
    const hasValue = !button && pdfium.FPDFAnnot_GetStringValue(annotation, 'V', 0, 0) > 2;
    return hasValue ? { isShown: isMade || hasAppearance } : isMade || hasAppearance;
  });
  if (typeof made !== 'object') return made ?? false;
  // Opened again, because PDFium caches the appearance that it has read.
  const shows = withAnnotation(document, page, index, (annotation) =>
    showsSomething(document, annotation),
  );
  if (!shows) lost();
  return made.isShown;
}

function withAnnotation<T>(
  { pdfium }: PdfDocument,
  page: number,
  index: number,
  use: (annotation: number) => T,
): T | undefined {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index);
  if (annotation === 0) return undefined;
  try {
    return use(annotation);
  } finally {
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
}

/**
 * Whether a field is a button, whose appearance is drawn. Buttons are recognised by their type, or
 * by a state that only buttons have.
 */
function isButton({ pdfium }: PdfDocument, annotation: number): boolean {
  if (pdfium.FPDFAnnot_HasKey(annotation, 'AS')) return true;
  const bytes = 8;
  return withSlots(pdfium, 1, (at) => {
    const length = pdfium.FPDFAnnot_GetStringValue(annotation, 'FT', at, bytes);
    const type = Buffer.from(pdfium.heap().slice(at, at + bytes)).toString('utf16le');
    return length === bytes && type === 'Btn\0';
  });
}

/** FPDF_PAGEOBJ_TEXT and FPDF_PAGEOBJ_PATH. The paths of a field are its background and border. */
const text = 1;
const path = 2;

/**
 * Whether the appearance of a field has more than a background and a border. Programs that write
 * NeedAppearances (ISO 32000-1, 12.7.2) leave the appearance empty, because readers generate it
 * from the value.
 */
function showsSomething({ pdfium }: PdfDocument, annotation: number): boolean {
  const count = pdfium.FPDFAnnot_GetObjectCount(annotation);
  for (let at = 0; at < count; at += 1) {
    const object = pdfium.FPDFAnnot_GetObject(annotation, at);
    const type = object === 0 ? path : pdfium.FPDFPageObj_GetType(object);
    if (type !== path && (type !== text || hasLetters(appearanceOf(pdfium, annotation))))
      return true;
  }
  return false;
}

/**
 * Whether the strings of a content stream have characters other than spaces, with which templates
 * fill fields.
 */
const hasLetters = (content: string): boolean => /\(\s*[^\s()]|<\s*[0-9A-Fa-f]{2}/.test(content);

function appearanceOf(pdfium: PdfDocument['pdfium'], annotation: number): string {
  const bytes = pdfium.FPDFAnnot_GetAP(annotation, normalAppearance, 0, 0);
  return withSlots(pdfium, Math.ceil(bytes / 8), (at) => {
    pdfium.FPDFAnnot_GetAP(annotation, normalAppearance, at, bytes);
    return Buffer.from(pdfium.heap().slice(at, at + bytes)).toString('utf16le');
  });
}

function hasNoArea(document: PdfDocument, annotation: number): boolean {
  const [left, top, right, bottom] = rectOf(document, annotation) ?? [0, 0, 0, 0];
  return left === right || top === bottom;
}
