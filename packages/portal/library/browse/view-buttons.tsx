import { useId } from 'preact/hooks';
import { IconButton } from '../../kit/button.tsx';
import { useRoving } from '../../kit/roving.ts';
import { densities, layouts, type View } from './view.ts';

const densityNames: Record<View['density'], string> = {
  compact: 'Compact',
  normal: 'Normal',
  large: 'Large',
};

const layoutNames: Record<View['layout'], string> = {
  grid: 'Grid',
  justified: 'Justified',
  list: 'List',
};

/** The layout of the results, and its density. */
export function ViewButtons({ view, set }: { view: View; set: (changes: Partial<View>) => void }) {
  const id = useId();
  const { group, rover } = useRoving<HTMLDivElement>([layouts]);
  return (
    <>
      <label class="browse-density" for={id}>
        Density
      </label>
      <select
        id={id}
        class="input browse-sort"
        value={view.density}
        onChange={(event) => {
          const density = densities.find((one) => one === event.currentTarget.value);
          if (density) set({ density });
        }}
      >
        {densities.map((one) => (
          <option key={one} value={one}>
            {densityNames[one]}
          </option>
        ))}
      </select>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div class="browse-views row" role="group" aria-label="Layout" {...group}>
        {layouts.map((as) => (
          <IconButton
            key={as}
            icon={as}
            label={layoutNames[as]}
            pressed={view.layout === as}
            rover={rover(as)}
            onClick={() => set({ layout: as })}
          />
        ))}
      </div>
    </>
  );
}
