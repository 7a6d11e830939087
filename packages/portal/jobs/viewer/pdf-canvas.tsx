import { useEffect, useRef, useState } from 'preact/hooks';
import { PageWaiting } from '../../kit/page-waiting.tsx';
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
  const [drawnPage, setDrawnPage] = useState<number | undefined>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    setHasFailed(false);
    let isUnmounted = false;
    let cancel = (): void => undefined;
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number);
      if (isUnmounted || !canvas.current) return;
      const unscaled = page.getViewport({ scale: 1 });
      onSize?.(unscaled.width, unscaled.height);
      const targetScale = (width / unscaled.width) * window.devicePixelRatio;
      const maxScale = Math.sqrt(maxPixels / (unscaled.width * unscaled.height));
      const viewport = page.getViewport({ scale: Math.min(targetScale, maxScale) });
      // Drawn off screen, so that the visible canvas does not go blank while zooming.
      const offscreen = document.createElement('canvas');
      offscreen.width = Math.max(1, Math.round(viewport.width));
      offscreen.height = Math.max(1, Math.round(viewport.height));
      const task = page.render({ canvas: offscreen, viewport });
      cancel = () => task.cancel();
      await task.promise;
      if (isUnmounted || !canvas.current) return;
      canvas.current.width = offscreen.width;
      canvas.current.height = offscreen.height;
      canvas.current.getContext('2d')?.drawImage(offscreen, 0, 0);
      canvas.current.dataset.page = String(number);
      setDrawnPage(number);
    };
    draw().catch((error: unknown) => {
      if (isUnmounted) return;
      setHasFailed(true);
      onFault(error instanceof Error ? error.message : String(error));
    });
    return () => {
      isUnmounted = true;
      cancel();
    };
  }, [pdf, number, width]);
  const isDrawn = drawnPage === number;
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${number}`}
        // Until then, it shows another page.
        style={{ visibility: isDrawn ? 'visible' : 'hidden' }}
      />
      {!isDrawn && !hasFailed && <PageWaiting page={number} />}
    </>
  );
}
