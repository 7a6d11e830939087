import { Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter-preact';
import icon from '../icon.svg';
import { Button } from '../kit/button.tsx';
import { Empty, Loading, PageNotFound } from '../kit/states.tsx';
import { Uploads } from '../library/uploads/mount.tsx';
import { ProjectSwitch } from './project-switch.tsx';
import { groups, type Screen } from './screens.tsx';
import { useSession } from './session.tsx';
import { ThemeSwitch } from './theme.tsx';

/** The frame around the screens: header, navigation and upload tray. */
export function Shell() {
  const { session, logOut } = useSession();
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const current = groups.flatMap(([, screens]) => screens).find((one) => isAt(path, one));
  const seen = useRef(path);
  useEffect(() => {
    document.title = `${current?.title ?? 'Scriptorium'} · Scriptorium`;
    setOpen(false);
    // Moving focus announces the new screen to screen readers.
    if (seen.current !== path) main.current?.focus({ preventScroll: true });
    seen.current = path;
  }, [path, current?.title]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Button class="menu-button" expanded={open} onClick={() => setOpen(!open)}>
          Menu
        </Button>
        <Link href="/library" class="brand">
          <img src={icon} alt="" />
          Scriptorium
        </Link>
        <ProjectSwitch session={session} />
        <ThemeSwitch />
        <Button quiet onClick={() => void logOut()}>
          Log out
        </Button>
      </header>
      <nav class={`nav${open ? ' open' : ''}`} aria-label="Portal">
        <div>
          {groups.map(([name, screens]) => (
            <div key={name}>
              <h2>{name}</h2>
              <ul>
                {screens.map((one) => (
                  <li key={one.path}>
                    <Link href={one.path} aria-current={one === current ? 'page' : undefined}>
                      {one.title}
                    </Link>
                  </li>
                ))}
                {name === 'Developers' && (
                  <li>
                    <a href="/docs">API docs</a>
                  </li>
                )}
              </ul>
            </div>
          ))}
        </div>
      </nav>
      <main class="main" id="main" tabIndex={-1} ref={main}>
        <Suspense fallback={<Loading what={current?.title ?? 'the page'} />}>
          <Switch>
            <Route path="/">
              <Redirect to="/library" replace />
            </Route>
            {groups.flatMap(([, screens]) =>
              screens.map((one) => (
                <Route key={one.path} path={one.path} nest>
                  <Guarded screen={one} />
                </Route>
              )),
            )}
            <Route component={PageNotFound} />
          </Switch>
        </Suspense>
      </main>
      <Uploads />
    </div>
  );
}

function Guarded({ screen }: { screen: Screen }) {
  const { can } = useSession();
  if (screen.scope === null || can(screen.scope)) return <screen.show />;
  return (
    <Empty title="Access denied">
      {screen.title} requires the scope <code>{screen.scope}</code>. Ask an administrator of the
      project for a role or an API key that has it.
    </Empty>
  );
}

function isAt(path: string, screen: Screen): boolean {
  return path === screen.path || path.startsWith(`${screen.path}/`);
}
