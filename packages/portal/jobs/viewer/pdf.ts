import type { PDFDocumentProxy } from 'pdfjs-dist';
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { loadScript } from '../../api/load-script.ts';
import { fetchOrThrow, requestFor, urlOf } from '../../api/request.ts';

export type { PDFDocumentProxy } from 'pdfjs-dist';

/**
 * Opens a stored PDF in a worker, which loads byte ranges as pages need them.
 * @throws ApiProblem if the content or pdf.js cannot be downloaded
 */
export async function openPdf(objectId: string): Promise<PDFDocumentProxy> {
  const url = urlOf(requestFor('getObjectContent', { id: objectId }));
  // pdf.js does not report problem details, so the first byte is requested to get them.
  await fetchOrThrow(url, { headers: { Range: 'bytes=0-0' } });
  const { getDocument, GlobalWorkerOptions, version } = await loadScript(
    () => import('pdfjs-dist'),
  );
  GlobalWorkerOptions.workerSrc = worker;
  // The folder where vite.config.ts puts the files that pdf.js loads by name.
  const assetsUrl = `${import.meta.env.BASE_URL}assets/pdfjs-${version}/`;
  return getDocument({
    url: new URL(url, window.location.href).href,
    isEvalSupported: false,
    enableXfa: false,
    // The worker's own Content-Security-Policy allows WebAssembly; the page's does not.
    useWasm: true,
    useWorkerFetch: true,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${assetsUrl}cmaps/`,
    standardFontDataUrl: `${assetsUrl}standard_fonts/`,
    wasmUrl: `${assetsUrl}wasm/`,
    iccUrl: `${assetsUrl}iccs/`,
  }).promise;
}
