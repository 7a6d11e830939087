import { Fragment } from 'preact';
import { Dialog } from '../kit/dialog.tsx';

const groups = [
  [
    'Everywhere',
    [
      [['Ctrl', 'K'], 'Find anything (⌘ K on a Mac)'],
      [['?'], 'Show these keys'],
      [['Esc'], 'Close what is open'],
      [['Tab'], 'To the next control; the first one skips to the content'],
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
export default function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      {groups.map(([title, keys]) => (
        <section key={title} class="stack">
          <h3>{title}</h3>
          <dl class="facts">
            {keys.map(([pressed, does]) => (
              <Fragment key={does}>
                <dt>
                  {pressed.map((key) => (
                    <kbd class="kbd" key={key}>
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
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
