import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from './button.tsx';
import type { IconName } from './icons/icons.ts';
import { useFits } from './use-measure.ts';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons. Without them, only the × in the header closes the dialog. */
  footer?: ComponentChildren;
  wide?: boolean;
  /** Called on Enter and by a submit button in the footer. */
  onSubmit?: () => void;
}

/**
 * The elements that receive the focus when a dialog opens, in order of priority. Otherwise its close
 * button does.
 */
const focusTargets = [
  '[data-first] button',
  '[autofocus]',
  '.content :is(input, select, textarea, a, button):not(:disabled)',
  'footer button:not(:disabled)',
];

/** A modal dialog. The browser traps focus and restores it on close; Escape closes. */
export function Dialog({ title, onClose, children, footer, wide, onSubmit }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const fits = useFits(content);
  useModal(element, (dialog) => {
    const candidates = focusTargets.map((one) => dialog.querySelector<HTMLElement>(one));
    candidates.find((one) => one)?.focus();
  });
  const body = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div ref={content} class="content" {...(fits ? {} : { tabIndex: 0 })}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </>
  );
  return (
    <dialog
      ref={element}
      class={`dialog${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {onSubmit ? (
        <form
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {body}
        </form>
      ) : (
        body
      )}
    </dialog>
  );
}

/** A button that opens a dialog. The dialog is rendered only while it is open. */
export function DialogButton(props: {
  label?: ComponentChildren;
  icon?: IconName;
  /** The accessible name, and the title on hover, if the label is not sufficient. */
  name?: string;
  primary?: boolean;
  danger?: boolean;
  small?: boolean;
  quiet?: boolean;
  disabled?: boolean;
  class?: string;
  dialog: (close: () => void) => ComponentChildren;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const { label, name, dialog, ...buttonProps } = props;
  return (
    <>
      <Button
        {...buttonProps}
        {...(name ? { label: name, title: name } : {})}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      {isOpen && dialog(() => setIsOpen(false))}
    </>
  );
}
