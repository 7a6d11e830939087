import { Link } from 'wouter-preact';
import { useResource } from '../../api/hooks.ts';
import type { ApiRequest, ResponseOf } from '../../api/request.ts';
import { passagePath } from './passages.ts';
import './passages.css';

/** The passages that answer a question; nothing without any, or if it cannot be searched. */
export function RelatedPassages(props: {
  question: string;
  request: ApiRequest<ResponseOf<'searchPassages'>>;
}) {
  const passages = useResource(props.request).data?.data ?? [];
  if (passages.length === 0) return null;
  return (
    <section class="stack passages" aria-labelledby="related-passages">
      <h2 id="related-passages">Related passages</h2>
      <ul>
        {passages.map((passage, at) => (
          <li key={at}>
            <Link href={`~/portal${passagePath(passage, props.question)}`}>
              <bdi>{passage.filename}</bdi>
            </Link>{' '}
            <span class="soft">Page {passage.page}</span>
            <p dir="auto">
              {passage.excerpt.map(({ text, match }, part) =>
                match ? <mark key={part}>{text}</mark> : text,
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
