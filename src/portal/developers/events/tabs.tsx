import { Link, useRoute } from 'wouter-preact';

/** The tabs of the Events screen. */
export function EventTabs() {
  const [isConsumers] = useRoute('/consumers');
  const [isTypes] = useRoute('/types');
  const tab = (href: string, label: string, isHere: boolean) => (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {label}
    </Link>
  );
  return (
    <nav class="tabs dev-tabs" aria-label="Events">
      {tab('/', 'Feed', !isConsumers && !isTypes)}
      {tab('/consumers', 'Consumers', isConsumers)}
      {tab('/types', 'Event types', isTypes)}
    </nav>
  );
}
