import type { ComponentChildren } from 'preact';

/** A row of a list of facts (`dl.facts`), with its value or, if it is long, children. Without either, none. */
export function Fact(props: {
  name: ComponentChildren;
  value?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const value = props.value ?? props.children;
  if (value === undefined || value === null || value === false || value === '') return null;
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{value}</dd>
    </>
  );
}
