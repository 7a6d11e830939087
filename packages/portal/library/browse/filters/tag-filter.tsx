import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { useRoving } from '../../../kit/roving.ts';
import { FacetList } from './facet-list.tsx';
import type { Facet } from './facets.tsx';
import type { QueryChanges } from './filters.ts';
import {
  modeOf,
  parseTagTerm,
  type TagMode,
  withMode,
  withoutTag,
  withTag,
  writeTagTerm,
} from './tag-terms.ts';

/** Filters by tags: all of them or any of them, and none of others. */
export function TagFilter(props: {
  address: URLSearchParams;
  setAddress: (changes: QueryChanges) => void;
  facet: Facet;
}) {
  const { address, setAddress, facet } = props;
  const terms = address.getAll('tag').map(parseTagTerm);
  const [chosenMode, setChosenMode] = useState<TagMode>('all');
  // Of two tags or more, the address says how they are combined.
  const mode = modeOf(terms) ?? chosenMode;
  const selected = terms.flatMap(({ not, anyOf }) => (not ? [] : anyOf));
  const excluded = terms.flatMap(({ not, anyOf }) => (not ? anyOf : []));
  const set = (next: typeof terms): void => setAddress({ tag: next.map(writeTagTerm) });
  const toggle = (tag: string, into: TagMode | 'not'): void => {
    const isActive = (into === 'not' ? excluded : selected).includes(tag);
    set(isActive ? withoutTag(terms, tag) : withTag(terms, tag, into));
  };
  return (
    <FacetList
      title="Tags"
      facet={facet}
      selected={selected}
      onToggle={(tag) => toggle(tag, mode)}
      onType={(tag) => {
        if (!selected.includes(tag)) toggle(tag, mode);
      }}
      mode={
        <ModeButtons
          mode={mode}
          onChoose={(next) => {
            setChosenMode(next);
            if (selected.length > 1) set(withMode(terms, next));
          }}
        />
      }
      extra={(tag, rover) => (
        <Button
          quiet
          small
          pressed={excluded.includes(tag)}
          label={`Exclude ${tag}`}
          rover={rover(`-${tag}`)}
          onClick={() => toggle(tag, 'not')}
        >
          Exclude
        </Button>
      )}
    />
  );
}

const modes = [
  ['all', 'All of'],
  ['any', 'Any of'],
] as const;

/** How the selected tags are combined. */
function ModeButtons({ mode, onChoose }: { mode: TagMode; onChoose: (mode: TagMode) => void }) {
  const { group, rover } = useRoving<HTMLDivElement>([modes.map(([name]) => name)]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class="browse-mode row" role="group" aria-label="Match" {...group}>
      {modes.map(([name, label]) => (
        <Button
          key={name}
          small
          quiet
          pressed={mode === name}
          rover={rover(name)}
          onClick={() => onChoose(name)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
