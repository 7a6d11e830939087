import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../../api/request.ts';
import type { PDFDocumentProxy } from './pdf.ts';

interface OpenedPdf {
  pdf: PDFDocumentProxy | undefined;
  /** Why it could not be loaded. */
  problem: ApiProblem | undefined;
  /** Why pdf.js could not read it. */
  fault: string | undefined;
}

const nothing: OpenedPdf = { pdf: undefined, problem: undefined, fault: undefined };

/** Opens a stored PDF while the component is mounted. Null opens nothing. */
export function usePdf(objectId: string | null): OpenedPdf {
  const [state, setState] = useState<OpenedPdf>(nothing);
  useEffect(() => {
    setState(nothing);
    if (objectId === null) return;
    let gone = false;
    let opened: PDFDocumentProxy | undefined;
    const open = async (): Promise<void> => {
      try {
        const { openPdf } = await import('./pdf.ts');
        const pdf = await openPdf(objectId);
        opened = pdf;
        if (gone) await pdf.loadingTask.destroy();
        else setState({ ...nothing, pdf });
      } catch (error) {
        if (gone) return;
        if (error instanceof ApiProblem) setState({ ...nothing, problem: error });
        else
          setState({ ...nothing, fault: error instanceof Error ? error.message : String(error) });
      }
    };
    void open();
    return () => {
      gone = true;
      void opened?.loadingTask.destroy();
    };
  }, [objectId]);
  return state;
}
