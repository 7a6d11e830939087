import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons; without any there is only the one that closes. */
  footer?: ComponentChildren;
  wide?: boolean;
  /** Sent by Enter and by a submit button in the footer. */
  onSubmit?: () => void;
}

/** A modal dialog: the browser keeps focus in it and gives it back; Escape closes. */
export function Dialog({ title, onClose, children, footer, wide, onSubmit }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // At once, not after the next paint: what is typed meanwhile would go elsewhere.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // What was done may have taken away the button that opened it.
      window.setTimeout(() => {
        if (document.activeElement === document.body) {
          document.getElementById('main')?.focus({ preventScroll: true });
        }
      });
    };
  }, []);
  const inner = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <Button quiet label="Close" onClick={onClose}>
          ×
        </Button>
      </header>
      <div class="content">{children}</div>
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
          {inner}
        </form>
      ) : (
        inner
      )}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** What the button that does it says. */
  action: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({
  title,
  children,
  action,
  danger,
  busy,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            primary={!danger}
            danger={danger ?? false}
            busy={busy ?? false}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

/** A button that opens a dialog; the dialog is made when it opens, and told how to close. */
export function DialogButton(props: {
  label: ComponentChildren;
  primary?: boolean;
  danger?: boolean;
  small?: boolean;
  quiet?: boolean;
  disabled?: boolean;
  class?: string;
  dialog: (close: () => void) => ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const { label, dialog, ...looks } = props;
  return (
    <>
      <Button {...looks} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && dialog(() => setOpen(false))}
    </>
  );
}
