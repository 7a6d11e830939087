/**
 * Jobs and packs started in this tab whose end has not been reported yet: by id, kept across
 * reloads.
 */
const place = 'followed';
/** A batch may start hundreds; older ones are dropped. */
const maxFollowed = 50;

let onChange: () => void = () => undefined;

/** Calls `listener` when the list changes; returns a function that stops it. */
export function watchFollowed(listener: () => void): () => void {
  onChange = listener;
  return () => {
    onChange = () => undefined;
  };
}

export const followed = (): string[] => sessionStorage.getItem(place)?.split(' ') ?? [];

function keep(ids: readonly string[]): void {
  if (ids.length === 0) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, ids.slice(-maxFollowed).join(' '));
  onChange();
}

/** Reports the end of these jobs or packs on whichever page the user is. */
export function follow(...ids: string[]): void {
  keep([...new Set([...followed(), ...ids])]);
}

/** Returns whether it was followed. */
export function unfollow(id: string): boolean {
  const ids = followed();
  keep(ids.filter((one) => one !== id));
  return ids.includes(id);
}
