import type { ComponentChildren } from 'preact';
import { isSolvedByReload, outdatedCode } from '../api/load-script.ts';
import type { ApiProblem } from '../api/request.ts';
import { Button, ButtonLink } from './button.tsx';
import { Icon } from './icons/icon.tsx';
import type { IconName } from './icons/icons.ts';
import { useAutomaticRetry } from './use-automatic-retry.ts';

/** An empty state: the missing content, the reason, and the next step. */
export function Empty({
  icon = 'search-none',
  title,
  children,
  action,
}: {
  /** The icon of the screen. Default: that of a search without results. */
  icon?: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="state">
      <Icon name={icon} size={22} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Shown instead of a screen, for an unknown address. */
export function PageNotFound() {
  const home = <ButtonLink href="~/portal/">Go to Home</ButtonLink>;
  return (
    <Empty title="Page not found" action={home}>
      The portal has no page at this address.
    </Empty>
  );
}

/** A loading indicator: grey bars instead of rows. `content` completes "Loading …". */
export function Loading({ what, lines = 4 }: { what: string; lines?: number }) {
  return (
    <div class="stack" role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: lines }, (_, at) => (
        <div
          key={at}
          class="skeleton"
          style={{ height: '1.75rem', width: `${100 - (at % 3) * 12}%` }}
        />
      ))}
    </div>
  );
}

/**
 * A failed request, shown instead of the content that it should have loaded. It is repeated
 * automatically if the error is temporary, such as a lost connection.
 */
export function ProblemState({ problem, onRetry }: { problem: ApiProblem; onRetry?: () => void }) {
  const isOutdated = problem.code === outdatedCode;
  const isTemporary = temporaryStatuses.includes(problem.status) && !isOutdated;
  useAutomaticRetry(isTemporary && onRetry ? problem : null, () => onRetry?.());
  const requiredScopes = problem.document.required_scopes;
  return (
    <div class="state" role="alert">
      <Icon name={problem.status === 403 ? 'policies' : 'attention'} size={22} />
      <h2>{problemTitle(problem)}</h2>
      <p>{problem.message}</p>
      {Array.isArray(requiredScopes) && (
        <p>
          Ask your administrator for an API key with the scope{' '}
          <code>{requiredScopes.map(String).join(', ')}</code>, then log in with it.
        </p>
      )}
      {problem.document.request_id && (
        <p class="mono soft">
          {problem.code} · {problem.document.request_id}
        </p>
      )}
      {isSolvedByReload(problem) && (
        <Button primary={isOutdated} onClick={() => window.location.reload()}>
          Reload
        </Button>
      )}
      {onRetry && !isOutdated && !permanentStatuses.includes(problem.status) && (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}

/** Shows loaded data; until then, a loading indicator or the error. */
export function AnswerView<T>(props: {
  of: { data: T | undefined; problem: ApiProblem | undefined; reload: () => void };
  content: string;
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  const { data, problem, reload } = props.of;
  if (problem) return <ProblemState problem={problem} onRetry={reload} />;
  if (data === undefined) return <Loading what={props.content} lines={props.lines ?? 4} />;
  return <>{props.children(data)}</>;
}

/** No connection, too many requests, or a service that is starting or busy. */
const temporaryStatuses = [0, 429, 502, 503, 504];

/** With these statuses, the same request would fail again. */
const permanentStatuses = [403, 404];

function problemTitle(problem: ApiProblem): string {
  if (problem.code === 'policy_denied') return 'Denied by a policy';
  if (problem.status === 403) return 'Access denied';
  if (problem.status === 404) return 'Not found';
  if (problem.status === 0) return 'No connection';
  return problem.document.title;
}

/** The error of a form or an action, shown next to it. */
export function ProblemNotice({ problem }: { problem: ApiProblem | undefined }) {
  if (!problem) return null;
  const faults = problem.document.errors ?? [];
  return (
    <div class="notice bad" role="alert">
      <p>{problem.message}</p>
      {faults.length > 1 && (
        <ul>
          {faults.map((fault, at) => (
            <li key={at}>
              {fault.pointer && <code>{fault.pointer}</code>} {fault.detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
