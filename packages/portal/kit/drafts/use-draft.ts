import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../../shell/session.tsx';
import { readDraft, removeDraft, storeDraft } from './draft-store.ts';

/** The content of a form that is not saved yet. */
export interface Draft<T> {
  value: T;
  /** Whether it is from an earlier visit of the form. */
  isRestored: boolean;
  set: (value: T) => void;
  update: (changes: Partial<T>) => void;
  /** Like `set`, from the latest value. */
  change: (next: (now: T) => T) => void;
  /** Forgets the changes. `value` is then what the form starts from; default: what it started from. */
  reset: (value?: T) => void;
}

interface DraftOptions<T> {
  /** Checks more than the types of the fields. */
  isValid?: (value: T) => boolean;
  /** Returns the draft without secrets, which are lost if the tab is reloaded. */
  withoutSecrets?: (value: T) => T;
}

/**
 * Keeps the content of a form until it is saved or discarded, across screens and reloads of the tab.
 * `form` names the form and the resource that it edits. Asks before the tab is left only if the
 * browser cannot store the whole draft.
 */
export function useDraft<T extends object>(
  form: string,
  initial: T,
  { isValid = () => true, withoutSecrets = (value) => value }: DraftOptions<T> = {},
): Draft<T> {
  const { session } = useSession();
  const key = `${session.project_id} ${(session.user ?? session.key)?.id ?? ''} ${form}`;
  const baseline = useRef(initial);
  const [state, setState] = useState(() => {
    const stored = readDraft(key);
    const isRestored = hasFieldsOf(initial, stored) && isValid(stored) && !isSame(stored, initial);
    return { value: isRestored ? stored : initial, isRestored, isKept: true };
  });
  const latest = useRef(state.value);
  const set = (value: T): void => {
    latest.current = value;
    const isChanged = !isSame(value, baseline.current);
    if (!isChanged) removeDraft(key);
    const isKept = !isChanged || storeDraft(key, value, withoutSecrets(value));
    setState((now) => ({ ...now, value, isKept }));
  };
  useEffect(() => {
    if (state.isKept) return;
    const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', confirmLeaving);
    return () => window.removeEventListener('beforeunload', confirmLeaving);
  }, [state.isKept]);
  return {
    value: state.value,
    isRestored: state.isRestored,
    set,
    update: (changes) => set({ ...latest.current, ...changes }),
    change: (next) => set(next(latest.current)),
    reset: (value = baseline.current) => {
      baseline.current = value;
      latest.current = value;
      removeDraft(key);
      setState({ value, isRestored: false, isKept: true });
    },
  };
}

const isSame = (one: object, other: object): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Whether a value has the fields of an example, of the same types. Null may be any type. */
function hasFieldsOf<T extends object>(example: T, value: unknown): value is T {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return Object.entries(example).every(
    ([name, field]) => fields.has(name) && isSameType(field, fields.get(name)),
  );
}

function isSameType(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return true;
  return typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
}
