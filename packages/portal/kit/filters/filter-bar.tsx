import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Icon } from '../icons/icon.tsx';
import { Popover } from '../popover.tsx';
import { moveFocus } from './choices.tsx';
import { type Filter, wordsOf } from './filter.ts';
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
 * The filters of a list: a button that adds one, the active ones as chips, and a button that clears
 * them.
 */
export function FilterBar({ label, filters, onChange, children }: FilterBarProps) {
  const [open, setOpen] = useState<{ anchor: HTMLElement; name: string | null } | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const set = filters.filter(({ value }) => value !== '');
  const edited = filters.find(({ name }) => name === open?.name);
  const close = (): void => setOpen(null);
  const change = (name: string, value: string): void => {
    close();
    onChange({ [name]: value });
  };
  const clear = (): void => {
    onChange(Object.fromEntries(set.map(({ name }) => [name, ''])));
    add.current?.focus();
  };
  return (
    <section class="filter-bar" aria-label={label}>
      <button
        ref={add}
        type="button"
        class="button small filter-add"
        aria-expanded={open !== null && open.anchor === add.current}
        onClick={(event) => setOpen(open ? null : { anchor: event.currentTarget, name: null })}
      >
        <Icon name="filter" />
        Filter
      </button>
      {set.map((filter) => (
        <span key={filter.name} class="filter-chip">
          <button
            type="button"
            aria-expanded={open?.name === filter.name}
            onClick={(event) => setOpen({ anchor: event.currentTarget, name: filter.name })}
          >
            <span>{filter.title}: </span>
            <bdi>{wordsOf(filter)}</bdi>
          </button>
          <button
            type="button"
            aria-label={`Remove the filter ${filter.title}`}
            onClick={() => {
              change(filter.name, '');
              add.current?.focus();
            }}
          >
            <Icon name="close" size={14} />
          </button>
        </span>
      ))}
      {set.length > 0 && (
        <Button quiet small onClick={clear}>
          Clear
        </Button>
      )}
      {children && <div class="filter-rest">{children}</div>}
      {open && (
        <Popover
          key={open.name}
          label={edited?.title ?? 'Add a filter'}
          anchor={open.anchor}
          onClose={close}
        >
          {edited ? (
            <FilterEditor of={edited} onSet={(value) => change(edited.name, value)} />
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between its buttons
            <div class="choices" onKeyDown={moveFocus}>
              <ul>
                {filters.map(({ name, title }) => (
                  <li key={name}>
                    <button type="button" onClick={() => setOpen({ anchor: open.anchor, name })}>
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
