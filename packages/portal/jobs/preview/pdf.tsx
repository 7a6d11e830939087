import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { PdfCanvas } from '../viewer/pdf-canvas.tsx';
import { usePdf } from '../viewer/use-pdf.ts';
import '../viewer/viewer.css';

/** A PDF, page by page. */
export function PdfPreview({ objectId }: { objectId: string }) {
  const { pdf, problem, fault, retry } = usePdf(objectId);
  const [page, setPage] = useState(1);
  const [drawingFault, setDrawingFault] = useState<string | undefined>();
  const [pageSize, setPageSize] = useState({ width: 595, height: 842 });
  const [availableWidth, setAvailableWidth] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setAvailableWidth(element.clientWidth - 32));
    observer.observe(element);
    return () => observer.disconnect();
  }, [pdf]);
  if (problem) return <ProblemState problem={problem} onRetry={retry} />;
  const message = fault ?? drawingFault;
  if (!pdf) return message ? <p class="notice bad">{message}</p> : <Loading what="PDF" lines={8} />;
  const goToPage = (next: number): void => {
    setDrawingFault(undefined);
    setPage(Math.min(pdf.numPages, Math.max(1, next)));
  };
  const width = Math.max(100, Math.min(availableWidth, 900));
  return (
    <div>
      <div class="page-tools">
        <Button small disabled={page === 1} onClick={() => goToPage(page - 1)}>
          Previous page
        </Button>
        <span role="status">
          Page {page} of {pdf.numPages}
        </span>
        <Button small disabled={page === pdf.numPages} onClick={() => goToPage(page + 1)}>
          Next page
        </Button>
      </div>
      {message && <p class="notice bad">{message}</p>}
      <section class="page-frame" ref={frame} tabIndex={0} aria-label="PDF page">
        {availableWidth > 0 && (
          <div
            class="page-stage"
            style={{
              width: `${width}px`,
              height: `${(width * pageSize.height) / pageSize.width}px`,
            }}
          >
            <PdfCanvas
              pdf={pdf}
              page={page}
              width={width}
              onSize={(w, h) => setPageSize({ width: w, height: h })}
              onFault={setDrawingFault}
            />
          </div>
        )}
      </section>
    </div>
  );
}
