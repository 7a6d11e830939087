import { pluralise } from '@scriptorium/contracts/pluralise';
import { Button } from './button.tsx';

/** Shows the new items that a live list holds back while it is in use. Nothing without any. */
export function NewItemsButton(props: {
  count: number;
  /** Singular, then plural. */
  nouns: readonly [one: string, many: string];
  onShow: () => void;
}) {
  const { count, nouns, onShow } = props;
  if (count === 0) return null;
  return (
    <Button
      small
      primary
      onClick={() => {
        onShow();
        window.scrollTo({ top: 0 });
      }}
    >
      {pluralise(count, `new ${nouns[0]}`, `new ${nouns[1]}`)}
    </Button>
  );
}
