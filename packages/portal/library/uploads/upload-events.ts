import type { ChosenFile } from './files.ts';

/** The collection that uploads are added to once stored. */
export interface UploadTarget {
  id: string;
  name: string;
}

/** Files to upload and their destination. Without files, the upload form asks for them. */
export interface Offer {
  files: readonly ChosenFile[];
  target: UploadTarget | null;
}

/** Files waiting for the upload tray, which is part of the shell and loaded on the first offer. */
let pendingOffers: Offer[] = [];
let onOffer: () => void = () => undefined;

/** Passes files to the tray, which opens the upload form. */
export function offerFiles(files: readonly ChosenFile[], target: UploadTarget | null): void {
  pendingOffers = [...pendingOffers, { files, target }];
  onOffer();
}

/** Returns the next offer, if any. */
export function takeOffer(): Offer | undefined {
  const [next, ...others] = pendingOffers;
  pendingOffers = others;
  return next;
}

/** Whether an offer is waiting. */
export function hasOffers(): boolean {
  return pendingOffers.length > 0;
}

/** Calls `listener` on each offer; returns a function that stops watching. */
export function watchOffers(listener: () => void): () => void {
  onOffer = listener;
  return () => {
    onOffer = () => undefined;
  };
}

/** A completed upload. */
export interface StoredUpload {
  /** The stored object; undefined if it was rejected. */
  objectId: string | undefined;
  mime: string | undefined;
  /** False if the same file was already stored under that name. */
  isNew: boolean;
  /** The collection it was added to. */
  target: UploadTarget | null;
}

const storedListeners = new Set<(stored: StoredUpload) => void>();

/** Notifies the screens of a completed upload. */
export function notifyStored(stored: StoredUpload): void {
  for (const listener of storedListeners) listener(stored);
}

/** Calls `listener` on each completed upload; returns a function that stops watching. */
export function watchStored(listener: (stored: StoredUpload) => void): () => void {
  storedListeners.add(listener);
  return () => {
    storedListeners.delete(listener);
  };
}
