import { useEffect, useState } from 'preact/hooks';
import { loadScript } from '../../api/load-script.ts';
import { ApiProblem } from '../../api/request.ts';
import type { PDFDocumentProxy } from './pdf.ts';

interface PdfState {
  pdf: PDFDocumentProxy | undefined;
  /** Why it could not be loaded. */
  problem: ApiProblem | undefined;
  /** Why pdf.js could not read it. */
  fault: string | undefined;
}

const initialState: PdfState = { pdf: undefined, problem: undefined, fault: undefined };

/** Opens a stored PDF while the component is mounted. Null opens nothing. */
export function usePdf(objectId: string | null): PdfState & { retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<PdfState>(initialState);
  useEffect(() => {
    setState(initialState);
    if (objectId === null) return;
    let isUnmounted = false;
    let openedPdf: PDFDocumentProxy | undefined;
    const load = async (): Promise<void> => {
      try {
        const { openPdf } = await loadScript(() => import('./pdf.ts'));
        const pdf = await openPdf(objectId);
        openedPdf = pdf;
        if (isUnmounted) await pdf.loadingTask.destroy();
        else setState({ ...initialState, pdf });
      } catch (error) {
        if (isUnmounted) return;
        if (error instanceof ApiProblem) setState({ ...initialState, problem: error });
        else
          setState({
            ...initialState,
            fault: error instanceof Error ? error.message : String(error),
          });
      }
    };
    void load();
    return () => {
      isUnmounted = true;
      void openedPdf?.loadingTask.destroy();
    };
  }, [objectId, attempt]);
  return { ...state, retry: () => setAttempt(attempt + 1) };
}
