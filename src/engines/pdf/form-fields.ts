import { applyToBox, userToDisplay } from '../geometry.ts';
import type { Box, PageFrame } from '../results.ts';
import { allocate, type PdfDocument, readFloats, withSlots } from './pdfium.ts';

/** FPDF_ANNOT_WIDGET of PDFium's public header. */
const widget = 20;
/** Longer names say nothing. */
const longestName = 400;

/** A form field of a page: its name for people or else for programs, and its place as displayed, in points. */
export type FormField = { name: string; box: Box };

/** Left, top, right and bottom of an annotation in user space. */
export function rectOf({ pdfium }: PdfDocument, annotation: number): Box | undefined {
  return withSlots(pdfium, 2, (at) => {
    if (!pdfium.FPDFAnnot_GetRect(annotation, at)) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
    return [left, top, right, bottom];
  });
}

/** The form fields of a loaded page that was not prepared yet. */
export function readFields(document: PdfDocument, page: number, frame: PageFrame): FormField[] {
  const { pdfium } = document;
  const widgets: number[] = [];
  for (let index = 0; index < pdfium.FPDFPage_GetAnnotCount(page); index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    if (pdfium.FPDFAnnot_GetSubtype(annotation) === widget) widgets.push(annotation);
    else pdfium.FPDFPage_CloseAnnot(annotation);
  }
  if (widgets.length === 0) return [];
  const toDisplay = userToDisplay(frame);
  return withForm(document, (form) =>
    widgets.flatMap((annotation): FormField[] => {
      const rect = rectOf(document, annotation);
      const name = rect ? nameOf(document, form, annotation) : '';
      pdfium.FPDFPage_CloseAnnot(annotation);
      return rect ? [{ name, box: applyToBox(toDisplay, rect) }] : [];
    }),
  );
}

/** Runs `use` with the form of a document, which names are inherited through. */
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

/** The name of a field for people, or else for programs; empty if it has none. */
function nameOf({ pdfium }: PdfDocument, form: number, annotation: number): string {
  const read = (get: (at: number, bytes: number) => number): string => {
    const bytes = get(0, 0);
    if (bytes <= 2 || bytes > longestName) return '';
    const at = allocate(pdfium, bytes);
    try {
      get(at, bytes);
      return Buffer.from(pdfium.heap().slice(at, at + bytes - 2)).toString('utf16le');
    } finally {
      pdfium.pdfium.wasmExports.free(at);
    }
  };
  const forPeople = read((at, bytes) =>
    pdfium.FPDFAnnot_GetFormFieldAlternateName(form, annotation, at, bytes),
  );
  return (
    forPeople || read((at, bytes) => pdfium.FPDFAnnot_GetFormFieldName(form, annotation, at, bytes))
  );
}
