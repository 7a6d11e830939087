import { ApiProblem, connectionProblem } from './request.ts';

/** The code of the problem for scripts of an earlier version, which the service no longer has. */
export const outdatedCode = 'portal_outdated';
/** The code of the problem for scripts that the service did not return, or that have failed. */
const unavailableCode = 'portal_unavailable';

/**
 * Whether reloading the page helps: after an upgrade, and because some browsers request a module
 * that has failed only once.
 */
export const isSolvedByReload = ({ code }: ApiProblem): boolean =>
  code === outdatedCode || code === unavailableCode;

/**
 * Loads a part of the portal: `load` is a dynamic import. A failed load can be repeated.
 * @throws ApiProblem if it cannot be loaded: without a connection, after an upgrade, or because the
 * service is busy
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  try {
    await reloadFailedStyles();
    return await load();
  } catch (error) {
    const problem = await problemOfScript();
    // The script may have been loaded and have thrown, which is a bug.
    if (problem.code === unavailableCode) reportError(error);
    throw problem;
  }
}

/** Finds out why a script could not be loaded. */
async function problemOfScript(): Promise<ApiProblem> {
  const entry = document.querySelector('script[type="module"]')?.getAttribute('src') ?? '';
  try {
    const response = await fetch('/portal/', { cache: 'no-store' });
    const page = await response.text();
    // The name of the first script contains a hash of everything that it loads.
    if (response.ok && !page.includes(entry)) {
      return problemWith(
        'A new version is available',
        outdatedCode,
        'Reload the page to continue.',
      );
    }
  } catch {
    return new ApiProblem(connectionProblem);
  }
  return problemWith(
    'Could not load this page',
    unavailableCode,
    'The service did not return a part of the portal. Try again, or reload the page.',
  );
}

function problemWith(title: string, code: string, detail: string): ApiProblem {
  return new ApiProblem({ ...connectionProblem, title, status: 503, code, detail });
}

const failedStyles = new Set<HTMLLinkElement>();

// Errors of elements do not bubble, so they are captured.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  true,
);

/** Loads the stylesheets that failed again: the imports that Vite builds request each only once. */
async function reloadFailedStyles(): Promise<void> {
  const links = [...failedStyles];
  failedStyles.clear();
  await Promise.all(
    links.map(
      (link) =>
        new Promise<void>((resolve, reject) => {
          const copy = link.cloneNode() as HTMLLinkElement;
          copy.addEventListener('load', () => resolve());
          copy.addEventListener('error', () => reject(new Error(`Could not load ${copy.href}.`)));
          link.replaceWith(copy);
        }),
    ),
  );
}
