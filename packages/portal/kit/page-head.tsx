import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { ApiRequest } from '../api/request.ts';
import { ApiCalls } from './api-calls.tsx';
import { usePageTitle } from './document-title.ts';
import { Icon } from './icons/icon.tsx';

/** A parent of a page. `href` is as for a Link. */
type Crumb = readonly [label: string, href: string];

interface PageHeadProps {
  /** The open resource: the heading, and the title of the document. */
  title: string;
  /** One sentence below the title, or facts about the resource. */
  about?: ComponentChildren;
  /** The parent pages, starting with the screen. */
  crumbs?: readonly Crumb[];
  /** Next to the title: a badge with the state. */
  state?: ComponentChildren;
  /** Secondary actions. */
  actions?: ComponentChildren;
  /** The only primary action. */
  primary?: ComponentChildren;
  /** The API requests behind the page. */
  calls?: readonly (readonly [title: string, ApiRequest<unknown>])[];
}

/** The header of a page. Each page has exactly one. */
export function PageHead(props: PageHeadProps) {
  const { title, crumbs = [] } = props;
  usePageTitle(title);
  return (
    <div class="page-head">
      <div>
        {crumbs.length > 0 && <Breadcrumbs crumbs={crumbs} />}
        <h1>
          <bdi>{title}</bdi> {props.state}
        </h1>
        {props.about && <p>{props.about}</p>}
      </div>
      <div class="page-acts">
        {props.actions}
        {props.calls && <ApiCalls calls={props.calls} />}
        {props.primary}
      </div>
    </div>
  );
}

function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol class="crumbs">
        {crumbs.map(([label, href]) => (
          <li key={href}>
            <Link href={href}>
              <bdi>{label}</bdi>
            </Link>
            <Icon name="next" size={14} />
          </li>
        ))}
      </ol>
    </nav>
  );
}
