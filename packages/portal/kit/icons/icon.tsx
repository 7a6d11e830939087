import { createElement } from 'preact';
import { type IconName, icons } from './icons.ts';

/**
 * An icon, in the colour of the text beside it. It is hidden from screen readers, because the text
 * has the same content.
 */
export function Icon(props: {
  name: IconName;
  /** In pixels. Default: 16. */
  size?: number;
  class?: string;
}) {
  const { name, size = 16 } = props;
  return (
    <svg
      class={`icon ${props.class ?? ''}`.trim()}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size > 20 ? 1.5 : 1.75}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {icons[name].map(([shape, attributes], at) =>
        createElement(shape, { key: at, ...attributes }),
      )}
    </svg>
  );
}
