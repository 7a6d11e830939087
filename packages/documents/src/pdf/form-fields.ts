import { applyToBox, userToDisplay } from '../geometry.ts';
import type { Box, PageFrame } from '../results.ts';
import { allocate, type PdfDocument, readFloats, withSlots } from './pdfium.ts';

/** FPDF_ANNOT_WIDGET in PDFium's public header. */
const widgetSubtype = 20;
/** Maximum length of a name, in bytes of UTF-16. Longer names are not meaningful. */
const maxNameBytes = 400;
const maxValueBytes = 200_000;
/** Maximum number of options. Of fields with more options, only the value is read. */
const maxOptions = 2_000;

/** A form field of a page. */
export type FormField = {
  /** The name shown to people (TU); if it is missing, the name used by programs (T). */
  name: string;
  /** The box as displayed, in points. */
  box: Box;
  /**
   * The values of the field. For a list, each choice has its stored and its displayed form. The
   * appearance of the field may differ from its values.
   */
  values: readonly string[];
};

/** Returns the left, top, right and bottom of an annotation in user space. */
export function rectOf({ pdfium }: PdfDocument, annotation: number): Box | undefined {
  return withSlots(pdfium, 2, (at) => {
    if (!pdfium.FPDFAnnot_GetRect(annotation, at)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
    return [left, top, right, bottom];
  });
}

/** Returns the form fields of a loaded page that has not been prepared. */
export function readFields(document: PdfDocument, page: number, frame: PageFrame): FormField[] {
  const { pdfium } = document;
  const widgets: number[] = [];
  for (let index = 0; index < pdfium.FPDFPage_GetAnnotCount(page); index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    if (pdfium.FPDFAnnot_GetSubtype(annotation) === widgetSubtype) widgets.push(annotation);
    else pdfium.FPDFPage_CloseAnnot(annotation);
  }
  if (widgets.length === 0) return [];
  const toDisplay = userToDisplay(frame);
  return withForm(document, (form) =>
    widgets.flatMap((annotation): FormField[] => {
      const rect = rectOf(document, annotation);
      const name = rect ? nameOf(document, form, annotation) : '';
      const values = rect ? valuesOf(document, form, annotation) : [];
      pdfium.FPDFPage_CloseAnnot(annotation);
      return rect ? [{ name, box: applyToBox(toDisplay, rect), values }] : [];
    }),
  );
}

/** Runs `use` with the form of a document, through which names are inherited. */
function withForm<T>({ pdfium, handle }: PdfDocument, use: (form: number) => T): T {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(handle, info);
  try {
    return use(form);
  } finally {
    pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

/** Returns a UTF-16 text from PDFium; empty if it is longer than `maxBytes`. */
function textOf(
  { pdfium }: PdfDocument,
  get: (at: number, bytes: number) => number,
  maxBytes: number,
): string {
  const bytes = get(0, 0);
  if (bytes <= 2 || bytes > maxBytes) return '';
  const at = allocate(pdfium, bytes);
  try {
    get(at, bytes);
    return Buffer.from(pdfium.heap().slice(at, at + bytes - 2)).toString('utf16le');
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}

/**
 * Returns the name of a field that is shown to people, or else the name that programs use. Empty if
 * the field has neither.
 */
function nameOf(document: PdfDocument, form: number, annotation: number): string {
  const { pdfium } = document;
  const alternateName = textOf(
    document,
    (at, bytes) => pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, at, bytes),
    maxNameBytes,
  );
  return (
    alternateName ||
    textOf(
      document,
      (at, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, at, bytes),
      maxNameBytes,
    )
  );
}

/** FPDF_FORMFIELD_* in PDFium's public header. */
const comboBox = 4;
const listBox = 5;
const textField = 6;

/** Returns the values of a field, each once. */
function valuesOf(document: PdfDocument, form: number, annotation: number): string[] {
  const { pdfium } = document;
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, annotation);
  if (![comboBox, listBox, textField].includes(type)) return [];
  const values = [
    textOf(
      document,
      (at, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, at, bytes),
      maxValueBytes,
    ),
  ];
  const options = type === textField ? 0 : pdfium.FPDFAnnot_GetOptionCount(form, annotation);
  for (let option = 0; option < Math.min(options, maxOptions); option += 1) {
    if (!pdfium.FPDFAnnot_IsOptionSelected(form, annotation, option)) continue;
    values.push(
      textOf(
        document,
        (at, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, option, at, bytes),
        maxValueBytes,
      ),
    );
  }
  return [...new Set(values.filter((value) => value.trim() !== ''))];
}
