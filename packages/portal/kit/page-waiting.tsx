import { Icon } from './icons/icon.tsx';

/** Says that a page is being drawn, in its place: an empty white page would look like an empty one. */
export function PageWaiting({ page }: { page: number }) {
  return (
    <p class="page-waiting" role="status">
      <Icon name="busy" class="turns" />
      Drawing page {page}…
    </p>
  );
}
