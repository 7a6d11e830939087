import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { Identity } from '../../../access/authenticate.ts';
import { commitWith, type Tx } from '../../../db/transaction.ts';
import { presentReview } from '../../../jobs/reviews/present.ts';
import { findReview } from '../../../jobs/reviews/read.ts';
import type { Deps } from '../../deps.ts';
import { readerOf } from '../jobs/start.ts';

interface ReviewCall {
  tx: Tx;
  key: Identity;
  deps: Deps;
  params: { id: string };
}

/** A changed review as the API returns it, read in the packet of the commit. */
export async function changedReview(call: ReviewCall): Promise<ReviewRecord> {
  const { tx, key, params } = call;
  const review = await commitWith(tx, () => findReview(tx, key.projectId, params.id));
  // Its row is locked.
  return presentReview(review!, readerOf(call));
}

/** How a call seals and opens the content of findings. */
export function sealOf({ deps }: Pick<ReviewCall, 'deps'>) {
  return { seal: deps.seal.seal, unseal: deps.seal.open };
}
