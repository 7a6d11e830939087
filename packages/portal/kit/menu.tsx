import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { moveFocus } from './filters/choices.tsx';
import { Icon } from './icons/icon.tsx';
import type { IconName } from './icons/icons.ts';
import { Popover } from './popover.tsx';
import './filters/filters.css';
import { IconButton } from './button.tsx';

/** An action in a menu: a page of the portal, or a dialog. */
type MenuItem = {
  label: string;
  icon: IconName;
  danger?: boolean;
} & ({ href: string } | { dialog: (close: () => void) => ComponentChildren });

/** A menu of a page's rarely used actions, opened by a button with three dots. */
export function MoreMenu({ items }: { items: readonly (MenuItem | false)[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const shown = items.filter((item) => item !== false);
  const open = shown.find(({ label }) => label === asked);
  const close = (): void => setAnchor(null);
  if (shown.length === 0) return null;
  return (
    <div class="more-menu">
      <IconButton
        icon="more"
        label="More actions"
        expanded={anchor !== null}
        onClick={({ currentTarget }) => {
          setAnchor(anchor === null && currentTarget instanceof HTMLElement ? currentTarget : null);
        }}
      />
      {anchor && (
        <Popover label="More actions" anchor={anchor} onClose={close}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between its items */}
          <div class="choices" onKeyDown={moveFocus}>
            <ul>
              {shown.map((item) => (
                <li key={item.label} class={item.danger ? 'danger' : undefined}>
                  <Item
                    of={item}
                    onAsk={() => {
                      close();
                      setAsked(item.label);
                    }}
                  />
                </li>
              ))}
            </ul>
          </div>
        </Popover>
      )}
      {open && 'dialog' in open && open.dialog(() => setAsked(null))}
    </div>
  );
}

function Item({ of: item, onAsk }: { of: MenuItem; onAsk: () => void }) {
  const face = (
    <>
      <Icon name={item.icon} />
      <span>{item.label}</span>
    </>
  );
  if ('href' in item) {
    return (
      <Link href={item.href} class="choice">
        {face}
      </Link>
    );
  }
  return (
    <button type="button" onClick={onAsk}>
      {face}
    </button>
  );
}
