import { inventVocabulary } from '../library/seed.ts';
import type { Send } from './load.ts';

const { words, tags } = inventVocabulary();

/** The resources that one round refers to. */
export interface KnownObjects {
  objectId: string;
  /** A cursor for the 500th page of fifty, or the last. */
  far: string;
}

const list = (filter: string) => (send: Send) => send('GET', `/objects?limit=50${filter}`);
const counts = (filter: string) => (send: Send) =>
  send('GET', `/objects?limit=1&include=total,facets${filter}`);

/** The requests of a project with a large library. Each is sent once per round. */
export const objectRequests: Record<string, (send: Send, known: KnownObjects) => Promise<unknown>> =
  {
    'newest objects': list(''),
    'objects, page 500': (send, { far }) => send('GET', `/objects?limit=50&cursor=${far}`),
    'objects by name': list('&sort=filename'),
    'originals, with what was made of them': list('&originals=true&include=derived_count'),
    'objects of a type': list('&mime=application/rtf'),
    'objects with a frequent tag': list(`&tag=${tags[0]}`),
    'objects with a rare tag': list(`&tag=${tags[400]}`),
    'a frequent word': list(`&q=${words[0]}`),
    'a word of one in a thousand': list(`&q=${words[200]}`),
    'a rare word': list(`&q=${words[3_900]}`),
    'two words': list(`&q=${words[1]} ${words[50]}`),
    'objects of the first month': list('&sort=created_at'),
    'the trash': list('&state=trashed'),
    'total and facets of everything': counts(''),
    'total and facets of originals': counts('&originals=true'),
    'total and facets of a type': counts('&mime=application/rtf'),
    'total and facets of a rare tag': counts(`&tag=${tags[400]}`),
    'total and facets of a frequent tag': counts(`&tag=${tags[0]}`),
    'total and facets of a frequent word': counts(`&q=${words[0]}`),
    'months of everything': list('&include=months'),
    'months of originals': list('&originals=true&include=months'),
    'stops of everything': list('&include=stops'),
    'stops of originals': list('&originals=true&include=stops'),
    'an object': (send, { objectId }) => send('GET', `/objects/${objectId}`),
    'a changed object': (send, { objectId }) =>
      send('PATCH', `/objects/${objectId}`, { tags: [`t${Math.random()}`.slice(0, 8)] }),
  };
