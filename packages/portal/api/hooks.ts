import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { toast } from '../kit/toasts.tsx';
import { ApiProblem, type ApiRequest, type ApiResponse, pathOf, send } from './request.ts';

export interface LoadedResource<T> {
  /** The latest response; kept while reloading. */
  data: T | undefined;
  etag: string | null;
  problem: ApiProblem | undefined;
  loading: boolean;
  reload: () => void;
  /** Replaces the data with the response to a change, without a request. */
  replace: (response: ApiResponse<T>) => void;
}

/** Sends a request, and sends it again whenever it changes. Null sends nothing. */
export function useResource<T>(request: ApiRequest<T> | null): LoadedResource<T> {
  const key = request ? pathOf(request) : null;
  const [state, setState] = useState<{
    key: string | null;
    response?: ApiResponse<T>;
    problem?: ApiProblem;
    loading: boolean;
  }>({ key, loading: request !== null });
  const [reloadCount, setReloadCount] = useState(0);
  const latestRequest = useRef(request);
  latestRequest.current = request;
  useEffect(() => {
    const currentRequest = latestRequest.current;
    if (!currentRequest) return;
    const controller = new AbortController();
    setState((now) => (now.key === key ? { ...now, loading: true } : { key, loading: true }));
    send(currentRequest, controller.signal).then(
      (answer) => setState({ key, response: answer, loading: false }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((now) => ({ ...now, problem: asProblem(error), loading: false }));
      },
    );
    return () => controller.abort();
  }, [key, reloadCount]);
  const currentState = state.key === key ? state : { key, loading: request !== null };
  return {
    data: currentState.response?.data,
    etag: currentState.response?.etag ?? null,
    problem: currentState.problem,
    loading: currentState.loading,
    reload: useCallback(() => setReloadCount((now) => now + 1), []),
    replace: useCallback(
      (answer: ApiResponse<T>) => setState({ key, response: answer, loading: false }),
      [key],
    ),
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
  firstPage: P | undefined;
  problem: ApiProblem | undefined;
  loading: boolean;
  hasMore: boolean;
  /** Loads the next page, unless a page is already loading. */
  loadMore: () => void;
  reload: () => void;
  /** Repeats the latest request, for the first or a further page. */
  retry: () => void;
  /** Updates the items after a change that the server has confirmed. */
  updateItems: (update: (items: T[]) => T[]) => void;
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
  const [reloadCount, setReloadCount] = useState(0);
  const latestRequest = useRef(request);
  latestRequest.current = request;
  const activeController = useRef<AbortController | null>(null);
  const latestCursor = useRef<string | null>(null);

  const load = useCallback((cursor: string | null) => {
    const currentRequest = latestRequest.current;
    if (!currentRequest) return;
    latestCursor.current = cursor;
    activeController.current?.abort();
    const controller = new AbortController();
    activeController.current = controller;
    const pageRequest = cursor
      ? { ...currentRequest, query: { ...currentRequest.query, cursor } }
      : currentRequest;
    const requestKey = pathOf(currentRequest);
    setState((now) => ({
      // A problem is shown until there is a response.
      ...(now.key === requestKey ? now : { key: requestKey, pages: [], items: [] }),
      loading: true,
    }));
    send(pageRequest, controller.signal).then(
      ({ data }) => {
        if (controller.signal.aborted) return;
        setState((now) => ({
          key: requestKey,
          pages: cursor ? [...now.pages, data] : [data],
          items: cursor ? [...now.items, ...data.data] : data.data,
          loading: false,
        }));
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((now) => ({ ...now, problem: asProblem(error), loading: false }));
      },
    );
  }, []);
  useEffect(() => {
    load(null);
    return () => activeController.current?.abort();
  }, [key, reloadCount]);

  const currentState: State =
    state.key === key ? state : { key, pages: [], items: [], loading: request !== null };
  const nextCursor = currentState.pages.at(-1)?.next_cursor ?? null;
  return {
    items: currentState.items,
    firstPage: currentState.pages[0],
    problem: currentState.problem,
    loading: currentState.loading,
    hasMore: nextCursor !== null,
    loadMore: useCallback(() => {
      if (nextCursor !== null && !currentState.loading) load(nextCursor);
    }, [nextCursor, currentState.loading]),
    reload: useCallback(() => setReloadCount((now) => now + 1), []),
    retry: useCallback(() => load(latestCursor.current), []),
    updateItems: useCallback(
      (update: (items: T[]) => T[]) => setState((now) => ({ ...now, items: update(now.items) })),
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
  const run = useCallback(
    async <T>(request: ApiRequest<T>): Promise<ApiResponse<T> | undefined> => {
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
    },
    [],
  );
  return { run, busy, problem, clearProblem: useCallback(() => setProblem(undefined), []) };
}

/** Narrows an error to an ApiProblem. @throws any other error, which is a bug */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  throw error;
}
