import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { EngineError } from '@scriptorium/sandbox/errors';
import { mayHaveMasks } from './masks.ts';

/** PDFium compiled to WASM, with the few helpers that its typings omit. */
export type Pdfium = WrappedPdfiumModule & { heap(): Uint8Array };

let loading: Promise<Pdfium> | undefined;

/** Returns the PDFium instance of this process. Only called in engine children. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= start();
  return loading;
}

async function start(): Promise<Pdfium> {
  const file = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const bytes = readFileSync(file);
  const wrapped = await init({ wasmBinary: new Uint8Array(bytes).buffer });
  wrapped.PDFiumExt_Init();
  const heap = (): Uint8Array => {
    // The view is replaced when the WASM memory grows, so it is fetched on each call.
    const view: unknown = Reflect.get(wrapped.pdfium, 'HEAPU8');
    if (!(view instanceof Uint8Array)) throw new Error('PDFium exposes no heap');
    return view;
  };
  return Object.assign(wrapped, { heap });
}

/**
 * Returns a PDFium function by name, without the wrapper that checks and converts values, which
 * costs more than most functions. Use it in loops over characters. The function takes and returns
 * numbers only.
 */
export function rawFunction(pdfium: Pdfium, name: string): (...args: number[]) => number {
  const nativeFunction: unknown = Reflect.get(pdfium.pdfium.wasmExports, name);
  if (typeof nativeFunction !== 'function') throw new Error(`PDFium has no function ${name}`);
  return nativeFunction as (...args: number[]) => number;
}

/** An open document. `close` frees the document and closes its file. */
export type PdfDocument = {
  pdfium: Pdfium;
  /** The file from which the document was opened. */
  path: string;
  handle: number;
  pageCount: number;
  encrypted: boolean;
  /** Whether a picture of the document may have a mask. */
  mayHaveMasks(): boolean;
  /** Runs `free` before the document is closed. */
  onClose(free: () => void): void;
  close(): void;
};

/** FPDF_GetLastError: FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY in PDFium's public header. */
const passwordError = 4;
const securityError = 5;

/**
 * Opens a PDF without reading all of it: PDFium reads parts of the file when it needs them. Files
 * that are restricted only by an owner password can be opened.
 * @throws EngineError `encrypted`, `unsupported`, `damaged` or `empty`.
 */
export async function openPdf(path: string): Promise<PdfDocument> {
  const pdfium = await loadPdfium();
  const runtime = pdfium.pdfium;
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  const readBlock = runtime.addFunction(
    (_parameter: number, position: number, buffer: number, length: number) => {
      const heap = pdfium.heap();
      let bytesRead = 0;
      while (bytesRead < length) {
        const at = (buffer >>> 0) + bytesRead;
        const read = readSync(
          descriptor,
          heap,
          at,
          length - bytesRead,
          (position >>> 0) + bytesRead,
        );
        if (read <= 0) return 0;
        bytesRead += read;
      }
      return 1;
    },
    'iiiii',
  );
  const fileAccess = allocate(pdfium, 12);
  runtime.setValue(fileAccess, size, 'i32');
  runtime.setValue(fileAccess + 4, readBlock, 'i32');
  runtime.setValue(fileAccess + 8, 0, 'i32');
  const handle = pdfium.FPDF_LoadCustomDocument(fileAccess, '');
  const release = (): void => {
    runtime.wasmExports.free(fileAccess);
    runtime.removeFunction(readBlock);
    closeSync(descriptor);
  };
  if (handle === 0) {
    const reason = pdfium.FPDF_GetLastError();
    release();
    if (reason === passwordError) {
      throw new EngineError('encrypted', 'The PDF is encrypted. Remove its password first.');
    }
    if (reason === securityError) {
      throw new EngineError('unsupported', 'The PDF uses an unsupported protection method.');
    }
    throw new EngineError('damaged', 'The file is damaged beyond repair or is not a PDF.');
  }
  const frees: (() => void)[] = [];
  const close = (): void => {
    for (const free of frees) free();
    pdfium.FPDF_CloseDocument(handle);
    release();
  };
  const pageCount = pdfium.FPDF_GetPageCount(handle);
  if (pageCount <= 0) {
    close();
    throw new EngineError('empty', 'The PDF has no pages.');
  }
  let masks: boolean | undefined;
  return {
    pdfium,
    path,
    handle,
    pageCount,
    encrypted: pdfium.EPDF_IsEncrypted(handle),
    mayHaveMasks() {
      masks ??= mayHaveMasks(descriptor, size);
      return masks;
    },
    onClose: (free) => void frees.push(free),
    close,
  };
}

/** Allocates memory on PDFium's heap. The caller must free it. */
export function allocate(pdfium: Pdfium, bytes: number): number {
  const address = pdfium.pdfium.wasmExports.malloc(bytes);
  if (address === 0) throw new EngineError('memory_exceeded', 'The PDF needs too much memory.');
  return address;
}

/** Runs `use` with `count` zeroed 8-byte slots on the heap; frees them afterwards. */
export function withSlots<T>(pdfium: Pdfium, count: number, use: (at: number) => T): T {
  const at = allocate(pdfium, count * 8);
  pdfium.heap().fill(0, at, at + count * 8);
  try {
    return use(at);
  } finally {
    pdfium.pdfium.wasmExports.free(at);
  }
}

/** Reads Float32 values from the heap. */
export function readFloats(pdfium: Pdfium, at: number, count: number): number[] {
  const { buffer } = pdfium.heap();
  const values: number[] = [];
  const view = new DataView(buffer, at, count * 4);
  for (let index = 0; index < count; index += 1) values.push(view.getFloat32(index * 4, true));
  return values;
}

/** Reads Float64 values from the heap. */
export function readDoubles(pdfium: Pdfium, at: number, count: number): number[] {
  const { buffer } = pdfium.heap();
  const values: number[] = [];
  const view = new DataView(buffer, at, count * 8);
  for (let index = 0; index < count; index += 1) values.push(view.getFloat64(index * 8, true));
  return values;
}

/**
 * Runs `use` with page `pageNumber` (1-based) loaded.
 * @throws EngineError `page_not_found` or `damaged`.
 */
export async function withPage<T>(
  document: PdfDocument,
  pageNumber: number,
  use: (page: number) => T | Promise<T>,
): Promise<T> {
  if (pageNumber < 1 || pageNumber > document.pageCount) {
    throw new EngineError('page_not_found', `The document has no page ${pageNumber}.`);
  }
  const page = document.pdfium.FPDF_LoadPage(document.handle, pageNumber - 1);
  if (page === 0) throw new EngineError('damaged', `Page ${pageNumber} of the PDF cannot be read.`);
  try {
    return await use(page);
  } finally {
    document.pdfium.FPDF_ClosePage(page);
  }
}

/**
 * Returns a copy of the document that PDFium has rewritten: decrypted, with a valid cross-reference
 * table. For documents that pdf-lib cannot load directly.
 */
export function saveCopy(document: PdfDocument): Uint8Array {
  const { pdfium, handle } = document;
  // Files restricted only by an owner password open without it. The copy must not be encrypted.
  if (document.encrypted) pdfium.EPDF_RemoveEncryption(handle);
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  try {
    pdfium.PDFiumExt_SaveAsCopy(handle, writer);
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
    if (size <= 0) throw new EngineError('damaged', 'The PDF cannot be rewritten.');
    const buffer = allocate(pdfium, size);
    pdfium.PDFiumExt_GetFileWriterData(writer, buffer, size);
    const copy = pdfium.heap().slice(buffer, buffer + size);
    pdfium.pdfium.wasmExports.free(buffer);
    return copy;
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer);
  }
}
