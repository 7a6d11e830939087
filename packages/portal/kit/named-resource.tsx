import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useName } from './names.ts';
import { pathOfResource } from './resource-link.tsx';
import { CopyButton } from './values.tsx';

/**
 * The name of a resource, as a link to its page. On hover, the identifier is the title; on hover and
 * focus, a button copies it. If the name is unknown, the identifier is shown instead.
 */
export function NamedResource(props: {
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
  const href = props.href ?? pathOfResource(id);
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
        <CopyButton text={id} subject={id} />
      </span>
    </span>
  );
}

/** The name of a resource, loaded by its identifier. */
export function NamedResourceById({ id }: { id: string }) {
  const name = useName(id);
  return <NamedResource id={id} name={name} loading={name === undefined} />;
}

/** A link to the page of a job or review, with the name of its document. */
export function NamedResourceByDocument({ id, source }: { id: string; source: string }) {
  const name = useName(source);
  return (
    <NamedResource id={id} name={name ?? source} href={`/${id}`} loading={name === undefined} />
  );
}
