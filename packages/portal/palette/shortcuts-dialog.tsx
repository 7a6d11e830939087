import { Fragment } from 'preact';
import { Dialog } from '../kit/dialog.tsx';
import { shortcuts as reviewShortcuts } from '../reviews/workbench/shortcut-keys.ts';

type Shortcut = readonly [keys: readonly string[], description: string];

const shortcutGroups: readonly (readonly [title: string, shortcuts: readonly Shortcut[]])[] = [
  [
    'Everywhere',
    [
      [['Ctrl', 'K'], 'Find anything (⌘ K on a Mac)'],
      [['?'], 'Show these keys'],
      [['Esc'], 'Close the open dialog or menu'],
      [['Tab'], 'Move to the next control; the first one skips to the content'],
    ],
  ],
  [
    'Lists and grids of the library',
    [
      [['←', '→', '↑', '↓'], 'Move to another item; with Shift, extend the selection'],
      [['Home', 'End'], 'First and last item'],
      [['Page Up', 'Page Down'], 'Move by a screen'],
      [['Enter'], 'Open the item'],
      [['V'], 'Open the item in the lightbox'],
      [['Space'], 'Select the item'],
      [['Ctrl', 'A'], 'Select all loaded items'],
      [['Esc'], 'Clear the selection'],
    ],
  ],
  [
    'An item of the library',
    [
      [['←', '→'], 'Previous and next item'],
      [['Esc'], 'Back to the list'],
    ],
  ],
  [
    'Lightbox',
    [
      [['←', '→'], 'Previous and next item'],
      [['Home'], 'First item'],
      [['Page Up', 'Page Down'], 'Previous and next page of a document'],
      [['Ctrl', 'F'], 'Find in the document'],
      [['I'], 'Show or hide the details'],
      [['+', '-'], 'Zoom'],
      [['0'], 'Reset the zoom'],
    ],
  ],
  [
    'Pages of a job',
    [
      [['←', '→'], 'Previous and next page'],
      [['+', '-'], 'Zoom'],
      [['0'], 'Reset the zoom'],
    ],
  ],
  [
    'Review',
    reviewShortcuts.map(([key, description]): Shortcut => {
      const parts = key.split('+').filter(Boolean);
      return [parts.length === 0 ? [key] : parts.map(capitalise), description];
    }),
  ],
];

function capitalise(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

/** The keyboard shortcuts of the portal. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      {shortcutGroups.map(([title, keys]) => (
        <section key={title} class="stack">
          <h3>{title}</h3>
          <dl class="facts">
            {keys.map(([keyNames, description]) => (
              <Fragment key={description}>
                <dt>
                  {keyNames.map((key) => (
                    <kbd class="kbd" key={key}>
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{description}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
