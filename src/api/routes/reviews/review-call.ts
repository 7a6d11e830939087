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

/** Reads a changed review for the response, in the packet of the commit. */
export async function readChangedReview(call: ReviewCall): Promise<ReviewRecord> {
  const { tx, key, params } = call;
  const review = await commitWith(tx, () => findReview(tx, key.projectId, params.id));
  // The row is locked, so it exists.
  return presentReview(review!, readerOf(call));
}

/** The functions that encrypt and decrypt the content of findings. */
export function sealOf({ deps }: Pick<ReviewCall, 'deps'>) {
  return { seal: deps.seal.seal, unseal: deps.seal.open };
}
