import { Component, type ComponentChildren } from 'preact';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/states.tsx';

interface BoundaryProps {
  /** The path of the screen. Another one is rendered again. */
  path: string;
  children: ComponentChildren;
}

/** Shows an error in place of a screen that cannot be rendered. The other screens still work. */
export class ScreenBoundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  override componentDidCatch(error: unknown): void {
    // Caught errors are otherwise not logged.
    reportError(error);
    this.setState({ hasFailed: true });
  }

  override componentDidUpdate({ path }: BoundaryProps): void {
    if (path !== this.props.path && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty
        icon="attention"
        title="This page has failed"
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        Reload it, or open another one. If it fails again, contact support.
      </Empty>
    );
  }
}
