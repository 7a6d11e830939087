/** The views of the palette: search, or the keys. */
export type View = 'find' | 'keys';

let open: (view: View) => void = () => undefined;

/** Opens the palette; used by its buttons. */
export const openPalette = (view: View): void => open(view);

/** Registers the palette. */
export function onOpen(listener: (view: View) => void): () => void {
  open = listener;
  return () => {
    open = () => undefined;
  };
}
