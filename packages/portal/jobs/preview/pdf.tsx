import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { PdfCanvas } from '../viewer/pdf-canvas.tsx';
import { usePdf } from '../viewer/use-pdf.ts';
import '../viewer/viewer.css';

/** A PDF, page by page. */
export function PdfPreview({ objectId }: { objectId: string }) {
  const { pdf, problem, fault } = usePdf(objectId);
  const [page, setPage] = useState(1);
  const [broken, setBroken] = useState<string | undefined>();
  const [shape, setShape] = useState({ width: 595, height: 842 });
  const [room, setRoom] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth - 32));
    observer.observe(element);
    return () => observer.disconnect();
  }, [pdf]);
  if (problem) return <ProblemState problem={problem} />;
  const wrong = fault ?? broken;
  if (!pdf) return wrong ? <p class="notice bad">{wrong}</p> : <Loading what="PDF" lines={8} />;
  const go = (next: number): void => {
    setBroken(undefined);
    setPage(Math.min(pdf.numPages, Math.max(1, next)));
  };
  const width = Math.max(100, Math.min(room, 900));
  return (
    <div>
      <div class="page-tools">
        <Button small disabled={page === 1} onClick={() => go(page - 1)}>
          Previous page
        </Button>
        <span role="status">
          Page {page} of {pdf.numPages}
        </span>
        <Button small disabled={page === pdf.numPages} onClick={() => go(page + 1)}>
          Next page
        </Button>
      </div>
      {wrong && <p class="notice bad">{wrong}</p>}
      <section class="page-frame" ref={frame} tabIndex={0} aria-label="PDF page">
        {room > 0 && (
          <div
            class="page-stage"
            style={{ width: `${width}px`, height: `${(width * shape.height) / shape.width}px` }}
          >
            <PdfCanvas
              pdf={pdf}
              page={page}
              width={width}
              onSize={(w, h) => setShape({ width: w, height: h })}
              onFault={setBroken}
            />
          </div>
        )}
      </section>
    </div>
  );
}
