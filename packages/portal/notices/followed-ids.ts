/**
 * The session storage key of the ids of jobs and packs that were started in this tab and whose end
 * has not been reported yet. They survive reloads.
 */
const storageKey = 'followed';
/** A batch may start hundreds of jobs; the oldest ids are dropped. */
const maxFollowed = 50;

let notifyChange: () => void = () => undefined;

/** Calls `listener` when the list changes; returns a function that stops it. */
export function watchFollowed(listener: () => void): () => void {
  notifyChange = listener;
  return () => {
    notifyChange = () => undefined;
  };
}

export const followedIds = (): string[] => sessionStorage.getItem(storageKey)?.split(' ') ?? [];

function storeIds(ids: readonly string[]): void {
  if (ids.length === 0) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, ids.slice(-maxFollowed).join(' '));
  notifyChange();
}

/** Reports the end of these jobs or packs, whichever page is open. */
export function follow(...ids: string[]): void {
  storeIds([...new Set([...followedIds(), ...ids])]);
}

/** Stops following a job or pack; returns whether it was followed. */
export function unfollow(id: string): boolean {
  const ids = followedIds();
  storeIds(ids.filter((one) => one !== id));
  return ids.includes(id);
}
