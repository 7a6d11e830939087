import { pluralise } from '@scriptorium/contracts/pluralise';
import { Fragment } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Icon } from '../kit/icons/icon.tsx';
import { useModal } from '../kit/modal.ts';
import { useSession } from '../shell/session.tsx';
import { releaseKeys } from './early-keys.ts';
import {
  type Entry,
  type Found,
  findHere,
  findInDocs,
  findInProject,
  sortedByGroup,
} from './find.ts';
import { readLists } from './lists.ts';
import './palette.css';

/** Delay after the last key before the API is queried, in milliseconds. */
const restMs = 150;
/** A shorter text would have too many results. */
const shortest = 2;

/** The command palette: a field and its results, selected with the arrow keys. */
export default function Finder({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const { found, searching } = useFound(typed);
  const here = findHere(typed, can);
  const all = [...here, ...found, findInDocs(typed)];
  const [at, setAt] = useState(0);
  const active = Math.min(at, all.length - 1);
  /** Enter was pressed before the first result was known. */
  const [isDue, setDue] = useState(false);

  useModal(element);
  // Done before the first input, because existing text must not be replaced.
  useLayoutEffect(() => {
    const held = releaseKeys();
    setTyped(held.text);
    setDue(held.isEntered);
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  const go = (one: Found | undefined): void => {
    if (!one) return;
    onClose();
    if (one.href.startsWith('/docs')) window.location.assign(one.href);
    else navigate(one.href);
  };
  useEffect(() => {
    if (isDue && !searching) go(all[0]);
  }, [isDue, searching]);
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
          aria-activedescendant={`${id}-${active}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Screens, files and their text, webhooks, events, docs…"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
            setDue(false);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step) {
              event.preventDefault();
              setAt((active + step + all.length) % all.length);
            } else if (event.key === 'Enter') {
              event.preventDefault();
              if (searching && at === 0 && here.length === 0) setDue(true);
              else go(all[active]);
            }
          }}
        />
        <kbd class="kbd key-hint">Esc</kbd>
      </div>
      <Results id={id} all={all} active={active} onPoint={setAt} onGo={go} />
      <span class="visually-hidden" role="status">
        {searching ? 'Searching' : pluralise(all.length, 'result')}
      </span>
    </dialog>
  );
}

/** Returns the API's results for a text, once typing pauses. */
function useFound(typed: string): { found: readonly Found[]; searching: boolean } {
  const { can } = useSession();
  const [found, setFound] = useState<readonly Found[]>([]);
  const [searching, setSearching] = useState(false);
  const lists = useRef<Promise<Entry[]>[] | null>(null);
  const text = typed.trim();
  useEffect(() => {
    const gone = new AbortController();
    if (text.length < shortest) {
      setFound([]);
      setSearching(false);
      return;
    }
    setSearching(true);
    const timer = window.setTimeout(async () => {
      let next: readonly Found[] = [];
      lists.current ??= readLists(can);
      const parts = findInProject(text, can, lists.current, gone.signal, (more) => {
        next = sortedByGroup([...next, ...more]);
        setFound(next);
      });
      await Promise.all(parts);
      if (gone.signal.aborted) return;
      setFound(next);
      setSearching(false);
    }, restMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
    };
  }, [text]);
  return { found, searching };
}

function Results(props: {
  id: string;
  all: readonly Found[];
  active: number;
  onPoint: (at: number) => void;
  onGo: (one: Found) => void;
}) {
  const { id, all, active, onPoint, onGo } = props;
  return (
    <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
      {all.map((one, at) => (
        <Fragment key={one.key}>
          {one.group !== all[at - 1]?.group && (
            <div class="palette-group" role="presentation">
              {one.group}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys */}
          <div
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            onPointerMove={() => onPoint(at)}
            onClick={() => onGo(one)}
          >
            <Icon name={one.icon} />
            <bdi>{one.title}</bdi>
            {one.about && <span class="soft">{one.about}</span>}
          </div>
        </Fragment>
      ))}
    </div>
  );
}
