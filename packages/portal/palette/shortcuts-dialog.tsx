import { Fragment } from 'preact';
import { Dialog } from '../kit/dialog.tsx';

const shortcutGroups = [
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
    'Library',
    [
      [['←', '→'], 'Previous and next image'],
      [['Esc'], 'Back to the list'],
    ],
  ],
  [
    'Pages of a job',
    [
      [['←', '→'], 'Previous and next page'],
      [['+', '−'], 'Zoom'],
      [['0'], 'Reset the zoom'],
    ],
  ],
] as const;

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
      <p class="soft">
        The workbench of a review has its own keyboard shortcuts, which “?” shows there.
      </p>
    </Dialog>
  );
}
