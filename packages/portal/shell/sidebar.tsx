import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import icon from '../icon.svg';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icons/icon.tsx';
import { openPalette } from '../palette/open-palette.ts';
import { ProjectSwitch } from './project-switch.tsx';
import { screenAt, screenGroups } from './screens.tsx';
import { useSession } from './session.tsx';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The project, the screens and the account: beside the page, or over it on phones. */
export function Sidebar() {
  const { session, logOut } = useSession();
  const [path] = useLocation();
  const current = screenAt(path);
  const { user, key } = session;
  return (
    <div class="side">
      <div class="side-project">
        <img src={icon} alt="" />
        <strong>Scriptorium</strong>
        <ProjectSwitch session={session} />
      </div>
      <button type="button" class="side-search" onClick={() => openPalette('find')}>
        <Icon name="search" />
        Find anything
        <kbd class="kbd key-hint">{isMac ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <nav class="nav" aria-label="Portal">
        {screenGroups.map(([name, screens]) => (
          <div key={name}>
            {name && <h2>{name}</h2>}
            <ul>
              {screens.map((one) => (
                <li key={one.path}>
                  <Link href={one.path} aria-current={one === current ? 'page' : undefined}>
                    <Icon name={one.icon} />
                    {one.title}
                  </Link>
                </li>
              ))}
              {name === 'Settings' && (
                <li>
                  <a href="/docs">
                    <Icon name="docs" />
                    API docs
                  </a>
                </li>
              )}
            </ul>
          </div>
        ))}
      </nav>
      <div class="side-foot">
        <span class="side-who" title={user ? `Role: ${user.role}` : 'API key'}>
          <Icon name={user ? 'person' : 'keys'} />
          <bdi>{user ? (user.name ?? user.id) : (key?.name ?? 'API key')}</bdi>
        </span>
        <ThemeSwitch />
        <IconButton small icon="log-out" label="Log out" onClick={() => void logOut()} />
      </div>
    </div>
  );
}

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const storageKey = 'theme';

/** Switches between light, dark and the system's theme; stored in this browser. */
function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((one) => one === localStorage.getItem(storageKey)) ?? 'system',
  );
  useEffect(() => {
    localStorage.setItem(storageKey, theme);
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <IconButton
      small
      icon={theme}
      label={`Theme: ${theme}. Switch to ${next}.`}
      onClick={() => setTheme(next)}
    />
  );
}
