import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButton } from '../../../kit/dialog.tsx';
import { Fact } from '../../../kit/fact.tsx';
import type { View } from '../view.ts';
import { ViewButtons } from '../view-buttons.tsx';
import {
  defaultSort,
  imageSortOptions,
  type ListKind,
  objectSortOptions,
  type QueryChanges,
} from './filters.ts';

const searchDelayMs = 250;

/** Search, order, and the button that shows the filters. */
export function Toolbar(props: {
  address: URLSearchParams;
  setAddress: (changes: QueryChanges, history?: 'push') => void;
  kind: ListKind;
  view: View;
  setView: (changes: Partial<View>) => void;
  filtersOpen: boolean;
  onToggleFilters: () => void;
}) {
  const { address, setAddress, kind } = props;
  const q = address.get('q') ?? '';
  const sortId = useId();
  const allSorts = kind === 'images' ? imageSortOptions : objectSortOptions;
  const sorts = allSorts.filter(([sort]) => sort !== '' || q !== '');
  const initialSort = defaultSort(address);
  return (
    <div class="browse-tools">
      <SearchBox key={kind} q={q} kind={kind} set={setAddress} />
      <div class="row">
        <label class="visually-hidden" for={sortId}>
          Sort by
        </label>
        <select
          id={sortId}
          class="input browse-sort"
          value={address.get('sort') ?? initialSort}
          onChange={(event) => {
            const sort = event.currentTarget.value;
            setAddress({ sort: sort === initialSort ? undefined : sort }, 'push');
          }}
        >
          {sorts.map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
        <ViewButtons view={props.view} set={props.setView} />
        <Button icon="filter" expanded={props.filtersOpen} onClick={props.onToggleFilters}>
          Filters
        </Button>
      </div>
    </div>
  );
}

/** Searches as the user types; Back returns to the results from before the search. */
function SearchBox(props: {
  q: string;
  kind: ListKind;
  set: (changes: QueryChanges, history?: 'push') => void;
}) {
  const [text, setText] = useState(props.q);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const isTyping = useRef(false);
  const latestSetAddress = useRef(props.set);
  latestSetAddress.current = props.set;
  const lastQuery = useRef(props.q);
  useEffect(() => {
    // Changed elsewhere: by Back, or by removing a chip.
    if (props.q !== lastQuery.current) setText(props.q);
    lastQuery.current = props.q;
  }, [props.q]);
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent): void => {
      const { target } = event;
      const isField = target instanceof HTMLElement && target.closest('input, textarea, select');
      if (event.key !== '/' || isField || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', focusOnSlash);
    return () => {
      window.removeEventListener('keydown', focusOnSlash);
      window.clearTimeout(timer.current);
    };
  }, []);
  const search = (q: string): void => {
    window.clearTimeout(timer.current);
    const trimmed = q.trim();
    if (trimmed === lastQuery.current) return;
    lastQuery.current = trimmed;
    latestSetAddress.current({ q: trimmed }, isTyping.current ? undefined : 'push');
    isTyping.current = true;
  };
  return (
    <search class="browse-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
          isTyping.current = false;
        }}
      >
        <input
          ref={input}
          class="input"
          type="search"
          aria-label="Search the library"
          placeholder={
            props.kind === 'images' ? 'Search images' : 'Search titles, names, tags and text'
          }
          aria-keyshortcuts="/"
          autocomplete="off"
          maxLength={500}
          value={text}
          onInput={(event) => {
            const q = event.currentTarget.value;
            setText(q);
            window.clearTimeout(timer.current);
            timer.current = window.setTimeout(() => search(q), searchDelayMs);
          }}
          onBlur={() => {
            // The next action applies to the typed text.
            search(text);
            isTyping.current = false;
          }}
        />
        <DialogButton
          label="Search help"
          quiet
          small
          dialog={(close) => <SearchHelp onClose={close} />}
        />
      </form>
    </search>
  );
}

const examples: readonly (readonly [string, string])[] = [
  ['red car', 'Both words. The last word also matches as a prefix: car finds cars and carpet.'],
  ['"red car"', 'The exact phrase.'],
  ['red OR blue car', 'Red or blue, and car: OR applies to the words on either side of it.'],
  ['car -red', 'Results with car but without red.'],
  ['-"for sale"', 'Results without the phrase.'],
];

function SearchHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Search help" onClose={onClose}>
      <dl class="facts">
        {examples.map(([query, meaning]) => (
          <Fact key={query} name={<code>{query}</code>} value={meaning} />
        ))}
      </dl>
      <p>
        The search covers titles, descriptions, creators, cameras, places, file names, tags,
        metadata and the text of documents, and ranks them in about this order. Each result shows
        the passage that matches. Where a policy requires redaction, only redacted text is searched.
      </p>
      <p>
        If a search finds little, one misspelt word is corrected to a word in your library, and the
        page says so.
      </p>
      <p>
        Press <kbd>/</kbd> to search from anywhere. In the grid, arrow keys, <kbd>Home</kbd>,{' '}
        <kbd>End</kbd>, <kbd>Page Up</kbd> and <kbd>Page Down</kbd> move, <kbd>Space</kbd> selects,{' '}
        <kbd>Shift</kbd> with an arrow key extends the selection, <kbd>Ctrl</kbd> <kbd>A</kbd>{' '}
        selects all loaded items, <kbd>V</kbd> shows an item in full size, <kbd>Enter</kbd> opens
        its page, and <kbd>Esc</kbd> clears the selection.
      </p>
    </Dialog>
  );
}
