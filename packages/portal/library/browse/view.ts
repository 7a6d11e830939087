import { useState } from 'preact/hooks';

export const densities = ['compact', 'normal', 'large'] as const;

export const layouts = ['grid', 'justified', 'list'] as const;

/** The layout of the results: tiles of equal size, uncropped pictures, or lines. */
export interface View {
  as: (typeof layouts)[number];
  density: (typeof densities)[number];
}

const kept = 'library-view';

/** The layout of the library; stored in this browser. */
export function useView(): [View, (changes: Partial<View>) => void] {
  const [view, setView] = useState(readView);
  const change = (changes: Partial<View>): void => {
    const next = { ...view, ...changes };
    localStorage.setItem(kept, `${next.as} ${next.density}`);
    setView(next);
  };
  return [view, change];
}

function readView(): View {
  const [as, density] = (localStorage.getItem(kept) ?? '').split(' ');
  return {
    as: layouts.find((one) => one === as) ?? 'grid',
    density: densities.find((one) => one === density) ?? 'normal',
  };
}
