import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useName } from './names.ts';
import { placeOf } from './resource-link.tsx';
import { Copy } from './values.tsx';

/**
 * A resource by its name, as a link to its page. Its identifier is the title, and can be copied on
 * hover and focus. If the name is unknown, the identifier is shown.
 */
export function Named(props: {
  id: string;
  name: string | null | undefined;
  /** Default: the page of the resource, if the portal has one. */
  href?: string;
  /** Before the name. */
  icon?: ComponentChildren;
  /** The name is still being loaded. */
  loading?: boolean;
}) {
  const { id, name, icon } = props;
  const href = props.href ?? placeOf(id);
  const text = props.loading ? (
    <span class="skeleton named-skeleton" />
  ) : name ? (
    <bdi>{name}</bdi>
  ) : (
    <span class="mono">{id}</span>
  );
  return (
    <span class="named">
      {icon}
      {href ? (
        <Link href={href} title={id}>
          {text}
        </Link>
      ) : (
        <span title={id}>{text}</span>
      )}
      <span class="named-copy">
        <Copy text={id} what={id} />
      </span>
    </span>
  );
}

/** A resource of which only the identifier is known. */
export function NamedById({ id }: { id: string }) {
  const name = useName(id);
  return <Named id={id} name={name} loading={name === undefined} />;
}

/** A job or review by the name of its document, as a link to its page. */
export function NamedByDocument({ id, source }: { id: string; source: string }) {
  const name = useName(source);
  return <Named id={id} name={name ?? source} href={`/${id}`} loading={name === undefined} />;
}
