import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Icon } from '../icons/icon.tsx';
import { Popover } from '../popover.tsx';
import { moveFocus } from './choices.tsx';
import { type Filter, formatFilterValue } from './filter.ts';
import { FilterEditor } from './filter-editor.tsx';
import './filters.css';

interface FilterBarProps {
  label: string;
  filters: readonly Filter[];
  /** Changed values by name; '' removes a filter. */
  onChange: (changes: Record<string, string>) => void;
  /** At the end of the row, such as a count or a reload button. */
  children?: ComponentChildren;
}

/**
 * The filters of a list: a button that adds one, the active filters as chips, and a button that
 * clears them.
 */
export function FilterBar({ label, filters, onChange, children }: FilterBarProps) {
  const [popover, setPopover] = useState<{ anchor: HTMLElement; name: string | null } | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const activeFilters = filters.filter(({ value }) => value !== '');
  const editedFilter = filters.find(({ name }) => name === popover?.name);
  const close = (): void => setPopover(null);
  const change = (name: string, value: string): void => {
    close();
    onChange({ [name]: value });
  };
  const clear = (): void => {
    onChange(Object.fromEntries(activeFilters.map(({ name }) => [name, ''])));
    addButton.current?.focus();
  };
  return (
    <section class="filter-bar" aria-label={label}>
      <button
        ref={addButton}
        type="button"
        class="button small filter-add"
        aria-expanded={popover !== null && popover.anchor === addButton.current}
        onClick={(event) =>
          setPopover(popover ? null : { anchor: event.currentTarget, name: null })
        }
      >
        <Icon name="filter" />
        Filter
      </button>
      {activeFilters.map((filter) => (
        <span key={filter.name} class="filter-chip">
          <button
            type="button"
            aria-expanded={popover?.name === filter.name}
            onClick={(event) => setPopover({ anchor: event.currentTarget, name: filter.name })}
          >
            <span>{filter.title}: </span>
            <bdi>{formatFilterValue(filter)}</bdi>
          </button>
          <button
            type="button"
            aria-label={`Remove the filter ${filter.title}`}
            onClick={() => {
              change(filter.name, '');
              addButton.current?.focus();
            }}
          >
            <Icon name="close" size={14} />
          </button>
        </span>
      ))}
      {activeFilters.length > 0 && (
        <Button quiet small onClick={clear}>
          Clear
        </Button>
      )}
      {children && <div class="filter-rest">{children}</div>}
      {popover && (
        <Popover
          key={popover.name}
          label={editedFilter?.title ?? 'Add a filter'}
          anchor={popover.anchor}
          onClose={close}
        >
          {editedFilter ? (
            <FilterEditor of={editedFilter} onSet={(value) => change(editedFilter.name, value)} />
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between its buttons
            <div class="choices" onKeyDown={moveFocus}>
              <ul>
                {filters.map(({ name, title }) => (
                  <li key={name}>
                    <button
                      type="button"
                      onClick={() => setPopover({ anchor: popover.anchor, name })}
                    >
                      <span>{title}</span>
                      <Icon name="next" size={14} />
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Popover>
      )}
    </section>
  );
}
