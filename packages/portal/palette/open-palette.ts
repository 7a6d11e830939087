/** The views of the palette: the search, or the list of keyboard shortcuts. */
export type PaletteView = 'find' | 'keys';

let openListener: (view: PaletteView) => void = () => undefined;

/** Opens the palette; used by its buttons. */
export const openPalette = (view: PaletteView): void => openListener(view);

/** Registers the palette as the listener. Returns a function that removes it. */
export function onOpen(listener: (view: PaletteView) => void): () => void {
  openListener = listener;
  return () => {
    openListener = () => undefined;
  };
}
