import type { ChosenFile } from './files.ts';

/** The collection that uploads are added to once stored. */
export interface Target {
  id: string;
  name: string;
}

/** Files that were dropped, pasted or are about to be selected, and their destination. */
export interface Offer {
  files: readonly ChosenFile[];
  target: Target | null;
}

/** Files waiting for the upload tray, which is part of the shell and loaded on the first offer. */
let waiting: Offer[] = [];
let onOffer: () => void = () => undefined;

/** Passes files to the tray, which opens the upload form. With no files, the form asks for them. */
export function offerFiles(files: readonly ChosenFile[], target: Target | null): void {
  waiting = [...waiting, { files, target }];
  onOffer();
}

/** Returns the next offer, if any. */
export function takeOffer(): Offer | undefined {
  const [next, ...rest] = waiting;
  waiting = rest;
  return next;
}

/** Whether an offer is waiting. */
export function hasOffers(): boolean {
  return waiting.length > 0;
}

/** Calls `listener` on each offer; returns a function that stops watching. */
export function watchOffers(listener: () => void): () => void {
  onOffer = listener;
  return () => {
    onOffer = () => undefined;
  };
}

/** A completed upload. */
export interface Stored {
  /** The stored object; undefined if it was rejected. */
  objectId: string | undefined;
  mime: string | undefined;
  /** False if the same file was already stored under that name. */
  isNew: boolean;
  /** The collection it was added to. */
  target: Target | null;
}

const onStored = new Set<(stored: Stored) => void>();

/** Notifies the screens of a completed upload. */
export function tellStored(stored: Stored): void {
  for (const listener of onStored) listener(stored);
}

/** Calls `listener` on each completed upload; returns a function that stops watching. */
export function watchStored(listener: (stored: Stored) => void): () => void {
  onStored.add(listener);
  return () => {
    onStored.delete(listener);
  };
}
