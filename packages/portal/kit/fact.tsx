import type { ComponentChildren } from 'preact';

/** A row of a list of facts (`dl.facts`). Long values are its children. Renders nothing without a value. */
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
