import { pluralise } from '@scriptorium/contracts/pluralise';
import { Fragment } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Icon } from '../kit/icons/icon.tsx';
import { useModal } from '../kit/use-modal.ts';
import { useSession } from '../shell/session.tsx';
import {
  docsLink,
  findInProject,
  findLocally,
  type SearchEntry,
  type SearchResult,
  sortByGroup,
} from './find.ts';
import { stopKeyCapture } from './key-capture.ts';
import { readLists } from './lists.ts';
import './palette.css';

/** Delay after the last key before the API is queried, in milliseconds. */
const searchDelayMs = 150;
/** Minimum length of a query; shorter ones would have too many results. */
const minLength = 2;

/** The command palette: a field and its results, selected with the arrow keys. */
export default function Finder({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const { found, searching } = useSearchResults(query);
  const localResults = findLocally(query, can);
  const allResults = [...localResults, ...found, docsLink(query)];
  const [selectedIndex, setSelectedIndex] = useState(0);
  const activeIndex = Math.min(selectedIndex, allResults.length - 1);
  /** Enter was pressed before the first result was known. */
  const [isEnterPending, setEnterPending] = useState(false);

  useModal(element);
  // Runs before the first input, which must not be replaced.
  useLayoutEffect(() => {
    const captured = stopKeyCapture();
    setQuery(captured.text);
    setEnterPending(captured.isEntered);
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${activeIndex}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, activeIndex]);

  const openResult = (result: SearchResult | undefined): void => {
    if (!result) return;
    onClose();
    if (result.href.startsWith('/docs')) window.location.assign(result.href);
    else navigate(result.href);
  };
  useEffect(() => {
    if (isEnterPending && !searching) openResult(allResults[0]);
  }, [isEnterPending, searching]);
  return (
    <dialog
      ref={element}
      class="palette"
      aria-label="Find anything"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Find anything"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={`${id}-${activeIndex}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Screens, files and their text, webhooks, events, docs…"
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setSelectedIndex(0);
            setEnterPending(false);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step) {
              event.preventDefault();
              setSelectedIndex((activeIndex + step + allResults.length) % allResults.length);
            } else if (event.key === 'Enter') {
              event.preventDefault();
              if (searching && selectedIndex === 0 && localResults.length === 0)
                setEnterPending(true);
              else openResult(allResults[activeIndex]);
            }
          }}
        />
        <kbd class="kbd key-hint">Esc</kbd>
      </div>
      <Results
        id={id}
        allResults={allResults}
        activeIndex={activeIndex}
        onHover={setSelectedIndex}
        onOpen={openResult}
      />
      <span class="visually-hidden" role="status">
        {searching ? 'Searching' : pluralise(allResults.length, 'result')}
      </span>
    </dialog>
  );
}

/** Returns the results that need requests, once typing pauses. */
function useSearchResults(query: string): { found: readonly SearchResult[]; searching: boolean } {
  const { can } = useSession();
  const [results, setResults] = useState<readonly SearchResult[]>([]);
  const [searching, setSearching] = useState(false);
  const lists = useRef<Promise<SearchEntry[]>[] | null>(null);
  const text = query.trim();
  useEffect(() => {
    const controller = new AbortController();
    if (text.length < minLength) {
      setResults([]);
      setSearching(false);
      return;
    }
    setSearching(true);
    const timer = window.setTimeout(async () => {
      let collected: readonly SearchResult[] = [];
      lists.current ??= readLists(can);
      const searches = findInProject(
        text,
        can,
        lists.current,
        controller.signal,
        (groupResults) => {
          collected = sortByGroup([...collected, ...groupResults]);
          setResults(collected);
        },
      );
      await Promise.all(searches);
      if (controller.signal.aborted) return;
      setResults(collected);
      setSearching(false);
    }, searchDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return { found: results, searching };
}

function Results(props: {
  id: string;
  allResults: readonly SearchResult[];
  activeIndex: number;
  onHover: (at: number) => void;
  onOpen: (one: SearchResult) => void;
}) {
  const { id, allResults, activeIndex, onHover, onOpen } = props;
  return (
    <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
      {allResults.map((result, at) => (
        <Fragment key={result.key}>
          {result.group !== allResults[at - 1]?.group && (
            <div class="palette-group" role="presentation">
              {result.group}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys */}
          <div
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === activeIndex}
            onPointerMove={() => onHover(at)}
            onClick={() => onOpen(result)}
          >
            <Icon name={result.icon} />
            <bdi>{result.title}</bdi>
            {result.about && <span class="soft">{result.about}</span>}
            {result.excerpt && (
              <span class="palette-excerpt soft" dir="auto">
                {result.excerpt.map(({ text, match }, part) =>
                  match ? <mark key={part}>{text}</mark> : text,
                )}
              </span>
            )}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
