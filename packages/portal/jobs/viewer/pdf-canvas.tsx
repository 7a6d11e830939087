import { useEffect, useRef } from 'preact/hooks';
import type { PDFDocumentProxy } from './pdf.ts';

/** The maximum size of a canvas in pixels, at any zoom. */
const maxPixels = 16_000_000;

/** One page of a PDF, at the resolution of the screen. */
export function PdfCanvas(props: {
  pdf: PDFDocumentProxy;
  page: number;
  /** In CSS pixels. */
  width: number;
  onSize?: (width: number, height: number) => void;
  onFault: (message: string) => void;
}) {
  const { pdf, page: number, width, onSize, onFault } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let gone = false;
    let cancel = (): void => undefined;
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number);
      if (gone || !canvas.current) return;
      const plain = page.getViewport({ scale: 1 });
      onSize?.(plain.width, plain.height);
      const wanted = (width / plain.width) * window.devicePixelRatio;
      const max = Math.sqrt(maxPixels / (plain.width * plain.height));
      const viewport = page.getViewport({ scale: Math.min(wanted, max) });
      // Drawn off screen, so that the visible canvas does not go blank while zooming.
      const next = document.createElement('canvas');
      next.width = Math.max(1, Math.round(viewport.width));
      next.height = Math.max(1, Math.round(viewport.height));
      const task = page.render({ canvas: next, viewport });
      cancel = () => task.cancel();
      await task.promise;
      if (gone || !canvas.current) return;
      canvas.current.width = next.width;
      canvas.current.height = next.height;
      canvas.current.getContext('2d')?.drawImage(next, 0, 0);
      canvas.current.dataset.page = String(number);
    };
    draw().catch((error: unknown) => {
      if (!gone) onFault(error instanceof Error ? error.message : String(error));
    });
    return () => {
      gone = true;
      cancel();
    };
  }, [pdf, number, width]);
  return <canvas ref={canvas} role="img" aria-label={`Page ${number}`} />;
}
