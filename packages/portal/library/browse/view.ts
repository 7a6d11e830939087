import { useState } from 'preact/hooks';

export const densities = ['compact', 'normal', 'large'] as const;

export const layouts = ['grid', 'justified', 'list'] as const;

/** The layout of the results: tiles of equal size, uncropped pictures, or lines. */
export interface View {
  layout: (typeof layouts)[number];
  density: (typeof densities)[number];
}

const storageKey = 'library-view';

/** The layout of the library; stored in this browser. */
export function useView(): [View, (changes: Partial<View>) => void] {
  const [view, setView] = useState(readView);
  const update = (changes: Partial<View>): void => {
    const next = { ...view, ...changes };
    localStorage.setItem(storageKey, `${next.layout} ${next.density}`);
    setView(next);
  };
  return [view, update];
}

function readView(): View {
  const [layout, density] = (localStorage.getItem(storageKey) ?? '').split(' ');
  return {
    layout: layouts.find((one) => one === layout) ?? 'grid',
    density: densities.find((one) => one === density) ?? 'normal',
  };
}
