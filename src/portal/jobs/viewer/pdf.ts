import type { PDFDocumentProxy } from 'pdfjs-dist';
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { fetchOrProblem, urlOf } from '../../api/request.ts';
import { getContent } from '../requests.ts';

export type { PDFDocumentProxy } from 'pdfjs-dist';

/**
 * Opens a stored PDF in a worker, piece by piece as pages want them.
 * @throws ApiProblem when the content is refused
 */
export async function openPdf(objectId: string): Promise<PDFDocumentProxy> {
  const url = urlOf(getContent(objectId));
  // pdf.js knows no reasons: whoever may not have the file hears why from this.
  await fetchOrProblem(url, { headers: { Range: 'bytes=0-0' } });
  const { getDocument, GlobalWorkerOptions, version } = await import('pdfjs-dist');
  GlobalWorkerOptions.workerSrc = worker;
  // Where vite.config.ts puts what pdf.js asks for by name.
  const files = `${import.meta.env.BASE_URL}assets/pdfjs-${version}/`;
  return getDocument({
    url: new URL(url, window.location.href).href,
    isEvalSupported: false,
    enableXfa: false,
    // The worker's own policy lets it compile; the page's does not.
    useWasm: true,
    useWorkerFetch: true,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${files}cmaps/`,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    iccUrl: `${files}iccs/`,
  }).promise;
}
