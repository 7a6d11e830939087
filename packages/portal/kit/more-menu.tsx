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
  const [openLabel, setOpenLabel] = useState<string | null>(null);
  const visibleItems = items.filter((item) => item !== false);
  const openItem = visibleItems.find(({ label }) => label === openLabel);
  const close = (): void => setAnchor(null);
  if (visibleItems.length === 0) return null;
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
              {visibleItems.map((item) => (
                <li key={item.label} class={item.danger ? 'danger' : undefined}>
                  <MenuEntry
                    of={item}
                    onAsk={() => {
                      close();
                      setOpenLabel(item.label);
                    }}
                  />
                </li>
              ))}
            </ul>
          </div>
        </Popover>
      )}
      {openItem && 'dialog' in openItem && openItem.dialog(() => setOpenLabel(null))}
    </div>
  );
}

function MenuEntry({ of: item, onAsk }: { of: MenuItem; onAsk: () => void }) {
  const content = (
    <>
      <Icon name={item.icon} />
      <span>{item.label}</span>
    </>
  );
  if ('href' in item) {
    return (
      <Link href={item.href} class="choice">
        {content}
      </Link>
    );
  }
  return (
    <button type="button" onClick={onAsk}>
      {content}
    </button>
  );
}
