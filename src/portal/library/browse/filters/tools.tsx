import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButton } from '../../../kit/dialog.tsx';
import { type Changes, imageSorts, type Kind, objectSorts } from './filters.ts';

const typingMs = 250;

/** Search, order, and whether the filters are shown. */
export function Tools(props: {
  address: URLSearchParams;
  setAddress: (changes: Changes, how?: 'push') => void;
  kind: Kind;
  filtersOpen: boolean;
  onToggleFilters: () => void;
}) {
  const { address, setAddress, kind } = props;
  const q = address.get('q') ?? '';
  const sortId = useId();
  const all = kind === 'images' ? imageSorts : objectSorts;
  const sorts = all.filter(([sort]) => sort !== '' || q !== '');
  const usual = kind === 'images' && q !== '' ? '' : '-created_at';
  return (
    <div class="browse-tools">
      <SearchBox key={kind} q={q} kind={kind} set={setAddress} />
      <div class="row">
        <label class="visually-hidden" for={sortId}>
          Order
        </label>
        <select
          id={sortId}
          class="input browse-sort"
          value={address.get('sort') ?? usual}
          onChange={(event) => {
            const sort = event.currentTarget.value;
            setAddress({ sort: sort === usual ? undefined : sort }, 'push');
          }}
        >
          {sorts.map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
        <Button expanded={props.filtersOpen} onClick={props.onToggleFilters}>
          Filters
        </Button>
      </div>
    </div>
  );
}

/** Searches while one types; Back goes to what was shown before the typing began. */
function SearchBox(props: {
  q: string;
  kind: Kind;
  set: (changes: Changes, how?: 'push') => void;
}) {
  const [text, setText] = useState(props.q);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const isTyping = useRef(false);
  const set = useRef(props.set);
  set.current = props.set;
  const told = useRef(props.q);
  useEffect(() => {
    // Changed elsewhere: by Back, or a chip taken away.
    if (props.q !== told.current) setText(props.q);
    told.current = props.q;
  }, [props.q]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const { target } = event;
      const isField = target instanceof HTMLElement && target.closest('input, textarea, select');
      if (event.key !== '/' || isField || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', focus);
    return () => {
      window.removeEventListener('keydown', focus);
      window.clearTimeout(timer.current);
    };
  }, []);
  const search = (q: string): void => {
    window.clearTimeout(timer.current);
    const trimmed = q.trim();
    if (trimmed === told.current) return;
    told.current = trimmed;
    set.current({ q: trimmed }, isTyping.current ? undefined : 'push');
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
            props.kind === 'images'
              ? 'Search titles, tags, descriptions'
              : 'Search names, tags, text'
          }
          aria-keyshortcuts="/"
          autocomplete="off"
          maxLength={500}
          value={text}
          onInput={(event) => {
            const q = event.currentTarget.value;
            setText(q);
            window.clearTimeout(timer.current);
            timer.current = window.setTimeout(() => search(q), typingMs);
          }}
          onBlur={() => {
            isTyping.current = false;
          }}
        />
        <DialogButton
          label="Search help"
          quiet
          small
          dialog={(close) => <SearchHelp kind={props.kind} onClose={close} />}
        />
      </form>
    </search>
  );
}

const examples: readonly (readonly [string, string])[] = [
  ['red car', 'Both words. The last word also matches as a beginning: car finds cars and carpet.'],
  ['"red car"', 'The words beside each other, in this order.'],
  ['red OR blue car', 'Cars that are red or blue: OR joins the two words around it.'],
  ['car -red', 'Cars, but none with the word red.'],
  ['-"for sale"', 'Everything without these words beside each other.'],
];

function SearchHelp({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  return (
    <Dialog title="How to search" onClose={onClose}>
      <dl class="facts">
        {examples.map(([query, meaning]) => (
          <>
            <dt key={query}>
              <code>{query}</code>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      {kind === 'images' ? (
        <p>
          The title counts most, then tags, description and alternative text, then the file name.
          When little is found, one misspelt word is mended by the words of your library; the screen
          says so.
        </p>
      ) : (
        <p>
          Searched are the file name, tags, metadata and the text that jobs recognised; only the
          redacted text where a policy requires redaction.
        </p>
      )}
      <p>
        Press <kbd>/</kbd> to search from anywhere. In the grid: arrows, <kbd>Home</kbd>,{' '}
        <kbd>End</kbd>, <kbd>Page Up</kbd> and <kbd>Page Down</kbd> move, <kbd>Space</kbd> selects,{' '}
        <kbd>Shift</kbd> with an arrow extends, <kbd>Ctrl</kbd> <kbd>A</kbd> selects what is loaded,{' '}
        <kbd>Enter</kbd> opens, <kbd>Esc</kbd> clears the selection.
      </p>
    </Dialog>
  );
}
