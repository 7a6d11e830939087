import { Empty } from '../../kit/states.tsx';
import type { Results } from '../browse/results.ts';

/** One image or object. */
export default function Detail({ id }: { kind: string; id: string; results: Results }) {
  return <Empty title={id} />;
}
