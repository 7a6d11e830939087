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

const watchers = new Set<(mime: string) => void>();

/** Tells the screens that one more upload is stored, and of what type it is. */
export function tellStored(mime: string): void {
  for (const watcher of watchers) watcher(mime);
}

/** Calls for each upload that is stored; the answer ends that. */
export function watchStored(watcher: (mime: string) => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

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

const onStored = new Set<(target: Target | null) => void>();

/** Tells the screens that a file was stored, and in which collection it is. */
export function tellStored(target: Target | null): void {
  for (const listener of onStored) listener(target);
}

/** Calls whenever a file was stored; the answer ends that. */
export function watchStored(listener: (target: Target | null) => void): () => void {
  onStored.add(listener);
  return () => onStored.delete(listener);
}
