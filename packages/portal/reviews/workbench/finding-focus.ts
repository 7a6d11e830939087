import { useState } from 'preact/hooks';

/** The current finding and the one under the pointer, shared by the pages and the list. */
export interface FindingFocus {
  current: string | undefined;
  hovered: string | undefined;
  hover: (id: string | undefined) => void;
  /** Makes a finding current. `origin` is where it was selected, which does not scroll to it. */
  select: (id: string | undefined, origin: 'page' | 'list' | 'keys') => void;
}

export function useFindingFocus(
  onSelect: (id: string, origin: 'page' | 'list' | 'keys') => void,
): FindingFocus {
  const [current, setCurrent] = useState<string | undefined>();
  const [hovered, setHovered] = useState<string | undefined>();
  return {
    current,
    hovered,
    hover: setHovered,
    select: (id, origin) => {
      if (id === undefined) return;
      setCurrent(id);
      onSelect(id, origin);
    },
  };
}
