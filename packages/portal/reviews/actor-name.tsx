import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { useName } from '../kit/names.ts';

/** The name of a person or API key, or its identifier. */
export function ActorName({ actor }: { actor: NonNullable<ReviewRecord['claimed_by']> }) {
  const keyName = useName(actor.name === null && actor.id !== null ? actor.id : undefined);
  return <bdi title={actor.id ?? ''}>{actor.name ?? keyName ?? actor.id ?? actor.type}</bdi>;
}
