import { useEffect } from 'preact/hooks';

/** The titles of the screen and of its open resource, set by different components in any order. */
const titleParts = { screen: '', page: '' };

function updateTitle(): void {
  const { screen, page } = titleParts;
  const isOpen = page !== '' && page !== screen;
  document.title = [isOpen ? page : '', screen].filter(Boolean).join(' – ') || 'Scriptorium';
}

function useTitle(part: keyof typeof titleParts, text: string): void {
  useEffect(() => {
    titleParts[part] = text;
    updateTitle();
    return () => {
      titleParts[part] = '';
      updateTitle();
    };
  }, [part, text]);
}

/** Sets the name of the screen in the title of the document: "Jobs". */
export const useScreenTitle = (text: string): void => useTitle('screen', text);

/** Sets the name of the open resource, which comes first: "Invoice.pdf – Jobs". */
export const usePageTitle = (text: string): void => useTitle('page', text);
