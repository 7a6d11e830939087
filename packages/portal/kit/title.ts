import { useEffect } from 'preact/hooks';

/** The screen and its open resource, set by different components in any order. */
const parts = { screen: '', page: '' };

function show(): void {
  const { screen, page } = parts;
  const isOpen = page !== '' && page !== screen;
  document.title = [isOpen ? page : '', screen].filter(Boolean).join(' – ') || 'Scriptorium';
}

function useTitle(part: keyof typeof parts, text: string): void {
  useEffect(() => {
    parts[part] = text;
    show();
    return () => {
      parts[part] = '';
      show();
    };
  }, [part, text]);
}

/** The name of the screen in the title of the document: "Jobs". */
export const useScreenTitle = (text: string): void => useTitle('screen', text);

/** The open resource comes first: "Invoice.pdf – Jobs". */
export const usePageTitle = (text: string): void => useTitle('page', text);
