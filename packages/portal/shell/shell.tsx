import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Route, Switch, useLocation } from 'wouter-preact';
import icon from '../icon.svg';
import { IconButton } from '../kit/button.tsx';
import { useScreenTitle } from '../kit/document-title.ts';
import { Empty, PageNotFound } from '../kit/states.tsx';
import { useModal } from '../kit/use-modal.ts';
import { Uploads } from '../library/uploads/mount.tsx';
import { Notices } from '../notices/index.tsx';
import { Palette } from '../palette/mount.tsx';
import { openPalette } from '../palette/open-palette.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { type Screen, screenAt, screenGroups } from './screens.tsx';
import { useSession } from './session.tsx';
import { Sidebar } from './sidebar.tsx';

/** The first focusable element within a grid, a tree or a table. */
const firstListElement = [
  ...['grid', 'treegrid', 'tree', 'listbox'].map((role) => `[role="${role}"] [tabindex="0"]`),
  'tbody :is(a, button, input)',
  '[role="listbox"][tabindex="0"]',
].join(', ');

/** The frame around the screens: the sidebar or, on a phone, a bar with a menu; the upload tray. */
export function Shell() {
  const [path] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const current = screenAt(path);
  useScreenTitle(current?.title ?? '');
  const previousPath = useRef(path);
  useEffect(() => {
    setIsOpen(false);
    // Moving focus announces the new screen to screen readers.
    if (previousPath.current !== path) main.current?.focus({ preventScroll: true });
    previousPath.current = path;
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <button
        type="button"
        class="skip"
        onClick={() =>
          (main.current?.querySelector<HTMLElement>(firstListElement) ?? main.current)?.focus()
        }
      >
        Skip to the list
      </button>
      <Sidebar />
      <header class="topbar">
        <IconButton icon="menu" label="Menu" expanded={isOpen} onClick={() => setIsOpen(true)} />
        <Link href="/">
          <img src={icon} alt="" />
          Scriptorium
        </Link>
        <IconButton icon="search" label="Find anything" onClick={() => openPalette('find')} />
      </header>
      {isOpen && <MenuSheet onClose={() => setIsOpen(false)} />}
      <main class="main" id="main" tabIndex={-1} ref={main}>
        <ScreenBoundary path={path}>
          <Switch>
            {screenGroups.flatMap(([, screens]) =>
              screens.map((one) => (
                <Route key={one.path} path={one.path} nest={one.path !== '/'}>
                  <AuthorizedScreen screen={one} />
                </Route>
              )),
            )}
            <Route component={PageNotFound} />
          </Switch>
        </ScreenBoundary>
      </main>
      <Uploads />
      <Notices />
      <Palette />
    </div>
  );
}

function AuthorizedScreen({ screen }: { screen: Screen }) {
  const { can } = useSession();
  if (screen.scope === null || can(screen.scope)) return <screen.component />;
  return (
    <Empty icon="policies" title="Access denied">
      {screen.title} requires the scope <code>{screen.scope}</code>. Ask an administrator of the
      project for a role or an API key that has it.
    </Empty>
  );
}

/** The menu on phones. Closes on Escape, on a tap outside it, and when a screen is selected. */
function MenuSheet({ onClose }: { onClose: () => void }) {
  const element = useRef<HTMLDialogElement>(null);
  useModal(element);
  useEffect(() => {
    // A wider window shows the sidebar, so the page must not stay blocked.
    const wideScreen = window.matchMedia('(width > 52rem)');
    const close = (): void => (wideScreen.matches ? onClose() : undefined);
    const closeOnBackdrop = (event: Event): void => {
      if (event.target === element.current) onClose();
    };
    wideScreen.addEventListener('change', close);
    element.current?.addEventListener('click', closeOnBackdrop);
    return () => {
      wideScreen.removeEventListener('change', close);
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="sheet"
      aria-label="Menu"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <Sidebar />
    </dialog>
  );
}
