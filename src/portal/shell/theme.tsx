import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../kit/button.tsx';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const kept = 'theme';

/** Switches between light, dark and the system's theme; stored in this browser. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((one) => one === localStorage.getItem(kept)) ?? 'system',
  );
  useEffect(() => {
    localStorage.setItem(kept, theme);
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
