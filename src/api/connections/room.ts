/** A memory budget with a total and a limit per owner. */
export interface Room {
  /** Reserves memory; returns the function that releases it, or null if there is not enough. */
  take(owner: string, bytes: number): (() => void) | null;
  /** The reserved memory in total. */
  taken(): number;
}

export function createRoom({ inAll, forEach }: { inAll: number; forEach: number }): Room {
  const takenBy = new Map<string, number>();
  let total = 0;
  return {
    taken: () => total,
    take(owner, bytes) {
      const own = takenBy.get(owner) ?? 0;
      if (own + bytes > forEach || total + bytes > inAll) return null;
      takenBy.set(owner, own + bytes);
      total += bytes;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        total -= bytes;
        const left = (takenBy.get(owner) ?? bytes) - bytes;
        if (left > 0) takenBy.set(owner, left);
        else takenBy.delete(owner);
      };
    },
  };
}
