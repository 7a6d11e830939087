import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../api/hooks.ts';
import { loadScript } from '../api/load-script.ts';
import type { ApiProblem } from '../api/request.ts';
import { ProblemState } from './states.tsx';

interface LazyOptions<P> {
  /** Shown while the script is loading. Default: nothing. */
  placeholder?: ComponentChildren;
  /** Shows the error. Default: in place of the component. */
  frame?: (error: ComponentChildren, props: P) => ComponentChildren;
}

/**
 * A component whose script is loaded on first use. If it cannot be loaded, the error is shown in
 * its place, and loading is tried again; everything around it stays as it is.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { placeholder = null, frame = (error) => error }: LazyOptions<P> = {},
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyComponent(props: P) {
    const [state, setState] = useState<{ Component?: ComponentType<P>; problem?: ApiProblem }>(
      loaded ? { Component: loaded } : {},
    );
    const attempt = async (): Promise<void> => {
      try {
        loaded = (await loadScript(load)).default;
        setState({ Component: loaded });
      } catch (error) {
        setState({ problem: asProblem(error) });
      }
    };
    useEffect(() => {
      if (!loaded) void attempt();
    }, []);
    const { Component, problem } = state;
    if (Component) return <Component {...props} />;
    if (!problem) return <>{placeholder}</>;
    const error = <ProblemState problem={problem} onRetry={() => void attempt()} />;
    return <>{frame(error, props)}</>;
  };
}
