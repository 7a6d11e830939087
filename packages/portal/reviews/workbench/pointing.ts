import { useState } from 'preact/hooks';

/** The current finding, and the finding under the pointer, shared by the pages and the list. */
export interface Pointing {
  current: string | undefined;
  hovered: string | undefined;
  hover: (id: string | undefined) => void;
  /** `from`: where it was selected, which does not need to scroll. */
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
