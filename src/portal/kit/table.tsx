import type { ComponentChildren } from 'preact';

/** The heading of a column; `hidden` is for screen readers only. */
type Heading = string | readonly [text: string, how: 'number' | 'hidden'];

/** A table that scrolls sideways within its frame, also by keyboard. The children are its rows. */
export function Table(props: {
  label: string;
  headings: readonly Heading[];
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="table-frame" aria-label={props.label} tabIndex={0}>
      <table class={`table ${props.class ?? ''}`.trim()}>
        <thead>
          <tr>
            {props.headings.map((heading) => {
              const [text, how] = typeof heading === 'string' ? [heading] : heading;
              return (
                <th key={text} scope="col" class={how === 'number' ? how : undefined}>
                  {how === 'hidden' ? <span class="visually-hidden">{text}</span> : text}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}
