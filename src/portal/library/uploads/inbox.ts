import type { ChosenFile } from './files.ts';

/** The collection that uploads are put into once they are stored. */
export interface Target {
  id: string;
  name: string;
}

/** Files that somebody dropped, pasted or is about to choose, and where they should go. */
export interface Offer {
  files: readonly ChosenFile[];
  target: Target | null;
}

/**
 * Where screens leave files for the upload tray, which stands in the shell and is loaded when the
 * first offer comes.
 */
let waiting: Offer[] = [];
let onOffer: () => void = () => undefined;

/** Hands files to the tray, which asks for tags before it begins; none: it asks for the files, too. */
export function offerFiles(files: readonly ChosenFile[], target: Target | null): void {
  waiting = [...waiting, { files, target }];
  onOffer();
}

/** Takes the next offer there is. */
export function takeOffer(): Offer | undefined {
  const [next, ...rest] = waiting;
  waiting = rest;
  return next;
}

/** Whether somebody waits to be asked. */
export function hasOffers(): boolean {
  return waiting.length > 0;
}

/** Calls whenever there is an offer to take; the answer ends that. */
export function watchOffers(listener: () => void): () => void {
  onOffer = listener;
  return () => {
    onOffer = () => undefined;
  };
}

/** An upload that has come to its end. */
export interface Stored {
  mime: string | undefined;
  /** False where its bytes were there already, under that name. */
  isNew: boolean;
  /** The collection it is in now. */
  target: Target | null;
}

const onStored = new Set<(stored: Stored) => void>();

/** Tells the screens of an upload that was stored, or was there already. */
export function tellStored(stored: Stored): void {
  for (const listener of onStored) listener(stored);
}

/** Calls for each of them; the answer ends that. */
export function watchStored(listener: (stored: Stored) => void): () => void {
  onStored.add(listener);
  return () => {
    onStored.delete(listener);
  };
}
