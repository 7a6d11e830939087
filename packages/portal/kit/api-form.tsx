import type { ComponentChildren } from 'preact';

/** A form whose errors are reported by the API and shown at their fields, not by the browser. */
export function ApiForm(props: { onSubmit: () => Promise<void>; children: ComponentChildren }) {
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void props.onSubmit();
      }}
    >
      {props.children}
    </form>
  );
}
