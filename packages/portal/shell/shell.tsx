import { Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Route, Switch, useLocation } from 'wouter-preact';
import icon from '../icon.svg';
import { IconButton } from '../kit/button.tsx';
import { useModal } from '../kit/modal.ts';
import { Empty, Loading, PageNotFound } from '../kit/states.tsx';
import { useScreenTitle } from '../kit/title.ts';
import { Uploads } from '../library/uploads/mount.tsx';
import { Notices } from '../notices/index.tsx';
import { Palette } from '../palette/mount.tsx';
import { openPalette } from '../palette/open.ts';
import { groups, type Screen, screenAt } from './screens.tsx';
import { useSession } from './session.tsx';
import { Sidebar } from './sidebar.tsx';

/** The first focusable element within a grid, a tree or a table. */
const firstOfList = [
  ...['grid', 'treegrid', 'tree', 'listbox'].map((role) => `[role="${role}"] [tabindex="0"]`),
  'tbody :is(a, button, input)',
  '[role="listbox"][tabindex="0"]',
].join(', ');

/** The frame around the screens: the sidebar or, on a phone, a bar with a menu; the upload tray. */
export function Shell() {
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const current = screenAt(path);
  useScreenTitle(current?.title ?? '');
  const seen = useRef(path);
  useEffect(() => {
    setOpen(false);
    // Moving focus announces the new screen to screen readers.
    if (seen.current !== path) main.current?.focus({ preventScroll: true });
    seen.current = path;
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
          (main.current?.querySelector<HTMLElement>(firstOfList) ?? main.current)?.focus()
        }
      >
        Skip to the list
      </button>
      <Sidebar />
      <header class="topbar">
        <IconButton icon="menu" label="Menu" expanded={open} onClick={() => setOpen(true)} />
        <Link href="/">
          <img src={icon} alt="" />
          Scriptorium
        </Link>
        <IconButton icon="search" label="Find anything" onClick={() => openPalette('find')} />
      </header>
      {open && <MenuSheet onClose={() => setOpen(false)} />}
      <main class="main" id="main" tabIndex={-1} ref={main}>
        <Suspense fallback={<Loading what={current?.title ?? 'the page'} />}>
          <Switch>
            {groups.flatMap(([, screens]) =>
              screens.map((one) => (
                <Route key={one.path} path={one.path} nest={one.path !== '/'}>
                  <Guarded screen={one} />
                </Route>
              )),
            )}
            <Route component={PageNotFound} />
          </Switch>
        </Suspense>
      </main>
      <Uploads />
      <Notices />
      <Palette />
    </div>
  );
}

function Guarded({ screen }: { screen: Screen }) {
  const { can } = useSession();
  if (screen.scope === null || can(screen.scope)) return <screen.show />;
  return (
    <Empty icon="policies" title="Access denied">
      {screen.title} requires the scope <code>{screen.scope}</code>. Ask an administrator of the
      project for a role or an API key that has it.
    </Empty>
  );
}

/** The menu of a phone. Closes on Escape, on a tap beside it and when a screen is chosen. */
function MenuSheet({ onClose }: { onClose: () => void }) {
  const element = useRef<HTMLDialogElement>(null);
  useModal(element);
  useEffect(() => {
    // A wider window shows the sidebar, so the page must not stay blocked.
    const wide = window.matchMedia('(width > 52rem)');
    const close = (): void => (wide.matches ? onClose() : undefined);
    const tap = (event: Event): void => {
      if (event.target === element.current) onClose();
    };
    wide.addEventListener('change', close);
    element.current?.addEventListener('click', tap);
    return () => {
      wide.removeEventListener('change', close);
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
