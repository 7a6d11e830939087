import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { toast } from '../kit/toasts.tsx';
import { type Answer, ApiProblem, type ApiRequest, pathOf, send } from './request.ts';

export interface Loaded<T> {
  /** The latest response; kept while reloading. */
  data: T | undefined;
  etag: string | null;
  problem: ApiProblem | undefined;
  loading: boolean;
  reload: () => void;
  /** Replaces the data with the response to a change, without a request. */
  put: (answer: Answer<T>) => void;
}

/** Sends a request, and sends it again whenever it changes. Null sends nothing. */
export function useAnswer<T>(request: ApiRequest<T> | null): Loaded<T> {
  const key = request ? pathOf(request) : null;
  const [state, setState] = useState<{
    key: string | null;
    answer?: Answer<T>;
    problem?: ApiProblem;
    loading: boolean;
  }>({ key, loading: request !== null });
  const [round, setRound] = useState(0);
  const latest = useRef(request);
  latest.current = request;
  useEffect(() => {
    const wanted = latest.current;
    if (!wanted) return;
    const gone = new AbortController();
    setState((now) => (now.key === key ? { ...now, loading: true } : { key, loading: true }));
    send(wanted, gone.signal).then(
      (answer) => setState({ key, answer, loading: false }),
      (error: unknown) => {
        if (gone.signal.aborted) return;
        setState((now) => ({ ...now, problem: asProblem(error), loading: false }));
      },
    );
    return () => gone.abort();
  }, [key, round]);
  const current = state.key === key ? state : { key, loading: request !== null };
  return {
    data: current.answer?.data,
    etag: current.answer?.etag ?? null,
    problem: current.problem,
    loading: current.loading,
    reload: useCallback(() => setRound((now) => now + 1), []),
    put: useCallback((answer: Answer<T>) => setState({ key, answer, loading: false }), [key]),
  };
}

/** A page of a list with a cursor. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
  total: number | null;
}

export interface LoadedList<T, P> {
  items: T[];
  /** The first page of the response, with totals and facets. */
  first: P | undefined;
  problem: ApiProblem | undefined;
  loading: boolean;
  hasMore: boolean;
  /** Loads the next page, unless a page is already loading. */
  more: () => void;
  reload: () => void;
  /** Updates the items after a change that the server has confirmed. */
  edit: (change: (items: T[]) => T[]) => void;
}

/** Loads a list page by page, with its cursor. */
export function useList<P extends Page<unknown>>(
  request: ApiRequest<P> | null,
): LoadedList<P['data'][number], P> {
  type T = P['data'][number];
  const key = request ? pathOf(request) : null;
  interface State {
    key: string | null;
    pages: P[];
    items: T[];
    problem?: ApiProblem | undefined;
    loading: boolean;
  }
  const [state, setState] = useState<State>({
    key,
    pages: [],
    items: [],
    loading: request !== null,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(request);
  latest.current = request;
  const running = useRef<AbortController | null>(null);

  const load = useCallback((cursor: string | null) => {
    const wanted = latest.current;
    if (!wanted) return;
    running.current?.abort();
    const gone = new AbortController();
    running.current = gone;
    const asked = cursor ? { ...wanted, query: { ...wanted.query, cursor } } : wanted;
    const of = pathOf(wanted);
    setState((now) => ({
      ...(now.key === of ? now : { key: of, pages: [], items: [] }),
      problem: undefined,
      loading: true,
    }));
    send(asked, gone.signal).then(
      ({ data }) => {
        if (gone.signal.aborted) return;
        setState((now) => ({
          key: of,
          pages: cursor ? [...now.pages, data] : [data],
          items: cursor ? [...now.items, ...data.data] : data.data,
          loading: false,
        }));
      },
      (error: unknown) => {
        if (gone.signal.aborted) return;
        setState((now) => ({ ...now, problem: asProblem(error), loading: false }));
      },
    );
  }, []);
  useEffect(() => {
    load(null);
    return () => running.current?.abort();
  }, [key, round]);

  const current: State =
    state.key === key ? state : { key, pages: [], items: [], loading: request !== null };
  const next = current.pages.at(-1)?.next_cursor ?? null;
  return {
    items: current.items,
    first: current.pages[0],
    problem: current.problem,
    loading: current.loading,
    hasMore: next !== null,
    more: useCallback(() => {
      if (next !== null && !current.loading) load(next);
    }, [next, current.loading]),
    reload: useCallback(() => setRound((now) => now + 1), []),
    edit: useCallback(
      (change: (items: T[]) => T[]) => setState((now) => ({ ...now, items: change(now.items) })),
      [],
    ),
  };
}

/**
 * Sends changes. `run` returns the response, or undefined after showing the error as a toast. With
 * `quiet`, the error is only returned in `problem`, so that a form can show it at its fields.
 */
export function useAction(options: { quiet?: boolean } = {}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const run = useCallback(async <T>(request: ApiRequest<T>): Promise<Answer<T> | undefined> => {
    setBusy(true);
    setProblem(undefined);
    try {
      return await send(request);
    } catch (error) {
      const problem = asProblem(error);
      setProblem(problem);
      if (!options.quiet) toast('bad', problem.message);
      return undefined;
    } finally {
      setBusy(false);
    }
  }, []);
  return { run, busy, problem, forget: useCallback(() => setProblem(undefined), []) };
}

/** Narrows an error to an ApiProblem. @throws any other error, which is a bug */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
