import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { Link } from 'wouter-preact';
import { FileIcon } from '../kit/icons/file-icon.tsx';
import { NamedResource } from '../kit/named-resource.tsx';
import { Time } from '../kit/values.tsx';
import '../library/browse/browse.css';
import { Thumb } from '../library/browse/grid/thumb.tsx';
import { itemOfImage } from '../library/browse/item.ts';
import type { HomeData } from './use-home.ts';

/** The width of a picture, in pixels. */
const thumbWidth = 160;

/** As many placeholders as fit in a row. */
const placeholders = Array.from({ length: 8 }, (_, at) => at);

/** The newest images and files, or placeholders of the same size in an empty library. */
export function RecentlyAdded({ data }: { data: HomeData }) {
  const { images = [], files = [] } = data;
  if (!data.images && !data.files) return null;
  const isEmpty = images.length === 0 && files.length === 0;
  return (
    <section aria-labelledby="home-added" class="stack">
      <div class="home-head">
        <h2 id="home-added">Recently added</h2>
        {isEmpty ? <span class="soft">Nothing yet</span> : <Link href="/library">Browse all</Link>}
      </div>
      {isEmpty && (
        <ul class="home-images" aria-hidden="true">
          {placeholders.map((at) => (
            <li key={at} class="home-place" />
          ))}
        </ul>
      )}
      {images.length > 0 && (
        <ul class="home-images">
          {images.map(itemOfImage).map((item) => (
            <li key={item.id}>
              <Link href={`/library/images/${item.id}`} title={item.name}>
                <Thumb item={item} width={thumbWidth} />
                <bdi class="visually-hidden">{item.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul class="card home-lines">
          {files.map(({ id, filename, mime, bytes, created_at }) => (
            <li key={id}>
              <FileIcon type={mime} />
              <NamedResource id={id} name={filename} />
              <span class="home-why soft">
                {formatBytes(bytes)}
                <span class="home-when">
                  <Time at={created_at} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
