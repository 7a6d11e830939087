import { EngineError } from '@scriptorium/sandbox/errors';
import { type FormField, readFields, rectOf } from './form-fields.ts';
import { frameOf } from './page-frame.ts';
import { type PdfDocument, withPage, withSlots } from './pdfium.ts';
import { unreadKindsOnPage } from './unread.ts';

/** Subtypes and flags FPDF_ANNOT_* in PDFium's public headers (PDF 32000-1 §12.5.3). */
const linkSubtype = 2;
const popupSubtype = 16;
const widgetSubtype = 20;
const hidingFlags = 0x01 | 0x02 | 0x20; // Invisible, Hidden, NoView
const normalAppearance = 0;
/** FPDFPage_Flatten: FLATTEN_FAIL, and flattening for display. */
const flattenFailed = 0;
const flattenForDisplay = 0;

/** The form fields of prepared pages, which are now part of the content. */
const fieldsByDocument = new WeakMap<PdfDocument, Map<number, FormField[]>>();

/** Returns the form fields that a page had before it was prepared. */
export function fieldsOf(document: PdfDocument, pageNumber: number): readonly FormField[] {
  return fieldsByDocument.get(document)?.get(pageNumber) ?? [];
}

/** The kinds of content of prepared pages that were not read. */
const unreadByDocument = new WeakMap<PdfDocument, Map<number, string[]>>();

/**
 * Returns the kinds of content of a page that are not read, as they were before the page was
 * prepared. Includes values of fields that cannot be displayed.
 */
export function unreadKindsOfPrepared(
  document: PdfDocument,
  pageNumber: number,
  page: number,
): string[] {
  const kinds =
    unreadByDocument.get(document)?.get(pageNumber) ?? unreadKindsOnPage(document, page);
  return hasUndisplayedValues(document, pageNumber) ? [...kinds, 'form fields'] : kinds;
}

/**
 * Prepares page `pageNumber` (1-based) of an open document to match its display in PDF readers:
 * visible annotations and form fields become part of the content, and hidden ones are removed. Text
 * is read, found and removed on prepared pages. The document is changed in memory, so load pages
 * after this call. A second call has no effect.
 * @throws EngineError if the page cannot be prepared.
 */
export async function preparePage(document: PdfDocument, pageNumber: number): Promise<void> {
  const { pdfium } = document;
  await withPage(document, pageNumber, (page) => {
    const count = pdfium.FPDFPage_GetAnnotCount(page);
    if (count === 0) return;
    const kindsByPage = unreadByDocument.get(document) ?? new Map<number, string[]>();
    unreadByDocument.set(document, kindsByPage.set(pageNumber, unreadKindsOnPage(document, page)));
    for (let index = count - 1; index >= 0; index -= 1) {
      const markUndisplayed = (): unknown => undisplayedPagesOf(document).add(pageNumber);
      if (!ensureVisible(document, page, index, markUndisplayed))
        pdfium.FPDFPage_RemoveAnnot(page, index);
    }
    if (pdfium.FPDFPage_GetAnnotCount(page) === 0) return;
    const frame = frameOf(document, page);
    const fieldsByPage = fieldsByDocument.get(document) ?? new Map<number, FormField[]>();
    fieldsByDocument.set(document, fieldsByPage.set(pageNumber, readFields(document, page, frame)));
    // Flattening reads the boxes of the page object only, and assumes Letter if they are inherited.
    const { left, bottom, width, height } = frame;
    pdfium.FPDFPage_SetMediaBox(page, left, bottom, left + width, bottom + height);
    pdfium.FPDFPage_SetCropBox(page, left, bottom, left + width, bottom + height);
    if (pdfium.FPDFPage_Flatten(page, flattenForDisplay) === flattenFailed) {
      throw new EngineError('damaged', 'The annotations of a page cannot be read.');
    }
  });
}

/** The pages of each document that have fields whose values cannot be displayed. */
const undisplayedByDocument = new WeakMap<PdfDocument, Set<number>>();

function undisplayedPagesOf(document: PdfDocument): Set<number> {
  const pages = undisplayedByDocument.get(document) ?? new Set<number>();
  undisplayedByDocument.set(document, pages);
  return pages;
}

/**
 * Whether a prepared page has a field whose value is missing from its appearance and cannot be
 * written with the fonts of the form.
 */
export const hasUndisplayedValues = (document: PdfDocument, pageNumber: number): boolean =>
  undisplayedByDocument.get(document)?.has(pageNumber) ?? false;

/** Runs `use` with a page loaded and prepared. Pages without annotations are loaded once. */
export async function withPreparedPage<T>(
  document: PdfDocument,
  pageNumber: number,
  use: (page: number) => Promise<T>,
): Promise<T> {
  const outcome = await withPage(document, pageNumber, async (page) =>
    document.pdfium.FPDFPage_GetAnnotCount(page) === 0 ? { result: await use(page) } : undefined,
  );
  if (outcome) return outcome.result;
  await preparePage(document, pageNumber);
  return withPage(document, pageNumber, use);
}

/** Whether a loaded page has annotations or form fields that may be visible. */
export function hasAnnotations({ pdfium }: PdfDocument, page: number): boolean {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    pdfium.FPDFPage_CloseAnnot(annotation);
    if (subtype !== linkSubtype && subtype !== popupSubtype) return true;
  }
  return false;
}

/**
 * Whether an annotation is visible. Generates the appearance of a field if it is missing or empty,
 * and calls `onUndisplayed` if the new appearance does not show the value either.
 */
function ensureVisible(
  document: PdfDocument,
  page: number,
  index: number,
  onUndisplayed: () => unknown,
): boolean {
  const { pdfium } = document;
  const outcome = withAnnotation(document, page, index, (annotation) => {
    const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
    if (subtype === popupSubtype || (pdfium.FPDFAnnot_GetFlags(annotation) & hidingFlags) !== 0)
      return false;
    // The visibility of layers is unknown here: annotations in a layer count as hidden.
    if (pdfium.FPDFAnnot_HasKey(annotation, 'OC') || hasNoArea(document, annotation)) return false;
    const hasAppearance = pdfium.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance);
    if (subtype !== widgetSubtype) {
      return hasAppearance || pdfium.EPDFAnnot_GenerateAppearance(annotation);
    }
    const isButtonField = isButton(document, annotation);
    if (hasAppearance && (isButtonField || hasVisibleContent(document, annotation))) return true;
    const isGenerated = pdfium.EPDFAnnot_GenerateFormFieldAP(annotation);
    // An empty text has two bytes, its terminator.
    const hasValue = !isButtonField && pdfium.FPDFAnnot_GetStringValue(annotation, 'V', 0, 0) > 2;
    return hasValue ? { isShown: isGenerated || hasAppearance } : isGenerated || hasAppearance;
  });
  if (typeof outcome !== 'object') return outcome ?? false;
  // Opened again, because PDFium caches the appearance that it has read.
  const showsValue = withAnnotation(document, page, index, (annotation) =>
    hasVisibleContent(document, annotation),
  );
  if (!showsValue) onUndisplayed();
  return outcome.isShown;
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
const textObject = 1;
const pathObject = 2;

/**
 * Whether the appearance of a field has more than a background and a border. Programs that write
 * NeedAppearances (ISO 32000-1, 12.7.2) leave the appearance empty, because readers generate it
 * from the value.
 */
function hasVisibleContent({ pdfium }: PdfDocument, annotation: number): boolean {
  const count = pdfium.FPDFAnnot_GetObjectCount(annotation);
  for (let at = 0; at < count; at += 1) {
    const object = pdfium.FPDFAnnot_GetObject(annotation, at);
    const type = object === 0 ? pathObject : pdfium.FPDFPageObj_GetType(object);
    if (
      type !== pathObject &&
      (type !== textObject || hasLetters(appearanceOf(pdfium, annotation)))
    )
      return true;
  }
  return false;
}

/**
 * Whether the strings of a content stream have characters other than spaces. Templates fill empty
 * fields with spaces.
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
