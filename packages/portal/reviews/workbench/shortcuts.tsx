import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialog.tsx';
import { CheckField } from '../../kit/fields/field.tsx';
import { type ShortcutKey, shortcuts } from './shortcut-keys.ts';

/** The keys that may be held down. */
const repeatableKeys = new Set<string>(['j', 'k', 'l', 'h', '+', '-']);

const storageKey = 'review-keys';

/**
 * Whether single-key shortcuts are enabled. People who use speech input or typing aids can turn them
 * off in this browser.
 */
const areShortcutsEnabled = (): boolean => localStorage.getItem(storageKey) !== 'off';

function setShortcutsEnabled(isEnabled: boolean): void {
  if (isEnabled) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
}

/** Runs the action of a key, unless shortcuts are off, a field has the focus or a dialog is open. */
export function useShortcuts(actions: Record<ShortcutKey, () => void>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLElement && target.closest('input, select, textarea, dialog')) {
        return;
      }
      const plainName = key === '=' ? '+' : key.toLowerCase();
      const shiftedName = `shift+${plainName}`;
      const name = event.shiftKey && isKey(shiftedName) ? shiftedName : plainName;
      if (!isKey(name) || !areShortcutsEnabled()) return;
      event.preventDefault();
      if (event.repeat && !repeatableKeys.has(name)) return;
      latest.current[name]();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isKey(name: string): name is ShortcutKey {
  return shortcuts.some(([key]) => key === name);
}

/** The shortcut of a button, hidden from screen readers. */
export function KeyHint({ of: shortcut }: { of: string }) {
  if (!areShortcutsEnabled()) return null;
  return <span class="bench-key key-hint" data-key={shortcut} aria-hidden="true" />;
}

/** Explains the shortcuts, and the colours of the boxes. */
export function Legend({ onClose }: { onClose: () => void }) {
  const [isEnabled, setIsEnabled] = useState(areShortcutsEnabled);
  return (
    <Dialog title="Keyboard and colours" onClose={onClose}>
      <CheckField
        label="Single-key shortcuts"
        hint="Stored in this browser."
        checked={isEnabled}
        onChange={(next) => {
          setShortcutsEnabled(next);
          setIsEnabled(next);
        }}
      />
      <dl class="bench-keys">
        {shortcuts.map(([key, title]) => (
          <div key={key}>
            <dt>
              <kbd>{key.toUpperCase().replace('SHIFT+', '⇧')}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
      <ul class="bench-colours">
        <li>
          <span class="bench-sample pending" /> Pending
        </li>
        <li>
          <span class="bench-sample accepted" /> Accepted: will be painted over
        </li>
        <li>
          <span class="bench-sample added" /> Added by a person: will be painted over
        </li>
        <li>
          <span class="bench-sample rejected" /> Rejected: stays in the file
        </li>
      </ul>
      <p>
        The filled box will be painted over. The outline inside it shows the words. A box that is
        wider than the words hides their length.
      </p>
      <p>
        In text, exactly the marked part is removed. Select more with the pointer, or choose words
        with W and the arrow keys.
      </p>
      <p>
        Hold Ctrl and turn the wheel, or use two fingers, to zoom. Drag a page to move it. Escape
        ends a tool.
      </p>
    </Dialog>
  );
}
