import { useState } from 'preact/hooks';

/** The current finding, and the finding under the pointer: in the pages and in the list alike. */
export interface Pointing {
  current: string | undefined;
  hovered: string | undefined;
  hover: (id: string | undefined) => void;
  /** `from`: where it was picked, which need not scroll. */
  pick: (id: string | undefined, from: 'page' | 'list' | 'keys') => void;
}

export function usePointing(
  onPick: (id: string, from: 'page' | 'list' | 'keys') => void,
): Pointing {
  const [current, setCurrent] = useState<string | undefined>();
  const [hovered, setHovered] = useState<string | undefined>();
  return {
    current,
    hovered,
    hover: setHovered,
    pick: (id, from) => {
      if (id === undefined) return;
      setCurrent(id);
      onPick(id, from);
    },
  };
}
