import { inventVocabulary } from '../library/seed.ts';
import type { Send } from './history-requests.ts';

const { words, tags } = inventVocabulary();

/** The resources that one round refers to. */
export interface ObjectTargets {
  objectId: string;
  /** A cursor for the 500th page of fifty, or the last. */
  farCursor: string;
}

const listObjects = (filter: string) => (send: Send) => send('GET', `/objects?limit=50${filter}`);
const countObjects = (filter: string) => (send: Send) =>
  send('GET', `/objects?limit=1&include=total,facets${filter}`);

/** The requests of a project with a large library. Each is sent once per round. */
export const objectRequests: Record<
  string,
  (send: Send, known: ObjectTargets) => Promise<unknown>
> = {
  'newest objects': listObjects(''),
  'objects, page 500': (send, { farCursor: far }) => send('GET', `/objects?limit=50&cursor=${far}`),
  'objects by name': listObjects('&sort=filename'),
  'originals, with what was made of them': listObjects('&originals=true&include=derived_count'),
  'objects of a type': listObjects('&mime=application/rtf'),
  'objects with a frequent tag': listObjects(`&tag=${tags[0]}`),
  'objects with a rare tag': listObjects(`&tag=${tags[400]}`),
  'a frequent word': listObjects(`&q=${words[0]}`),
  'a word of one in a thousand': listObjects(`&q=${words[200]}`),
  'a rare word': listObjects(`&q=${words[3_900]}`),
  'two words': listObjects(`&q=${words[1]} ${words[50]}`),
  'objects of the first month': listObjects('&sort=created_at'),
  'the trash': listObjects('&state=trashed'),
  'total and facets of everything': countObjects(''),
  'total and facets of originals': countObjects('&originals=true'),
  'total and facets of a type': countObjects('&mime=application/rtf'),
  'total and facets of a rare tag': countObjects(`&tag=${tags[400]}`),
  'total and facets of a frequent tag': countObjects(`&tag=${tags[0]}`),
  'total and facets of a frequent word': countObjects(`&q=${words[0]}`),
  'months of everything': listObjects('&include=months'),
  'months of originals': listObjects('&originals=true&include=months'),
  'stops of everything': listObjects('&include=stops'),
  'stops of originals': listObjects('&originals=true&include=stops'),
  'an object': (send, { objectId }) => send('GET', `/objects/${objectId}`),
  'a changed object': (send, { objectId }) =>
    send('PATCH', `/objects/${objectId}`, { tags: [`t${Math.random()}`.slice(0, 8)] }),
};
