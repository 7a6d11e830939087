import { useEffect, useRef } from 'preact/hooks';
import { ButtonLink, IconButton } from '../../../kit/button.tsx';
import type { Find } from './use-find.ts';

/** The field that searches the document, and buttons that move between matches. */
export function FindBar(props: { find: Find; jobHref: string | undefined; onClosed: () => void }) {
  const { find, jobHref, onClosed } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const close = (): void => {
    find.setOpen(false);
    onClosed();
  };
  return (
    <search class="lightbox-find row">
      <input
        ref={field}
        class="input"
        type="search"
        aria-label="Find in the document"
        placeholder="Find in the document"
        value={find.text}
        onInput={(event) => find.setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') close();
          else return;
          // Without this, Escape would close the dialog.
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status">{find.status}</span>
      {find.status.startsWith('No text') && jobHref && (
        <ButtonLink small href={jobHref}>
          Recognise text
        </ButtonLink>
      )}
      <IconButton
        small
        icon="up"
        label="Previous match"
        disabled={find.matches.length === 0}
        onClick={() => find.step(-1)}
      />
      <IconButton
        small
        icon="down"
        label="Next match"
        disabled={find.matches.length === 0}
        onClick={() => find.step(1)}
      />
      <IconButton small icon="close" label="Close the search" onClick={close} />
    </search>
  );
}
