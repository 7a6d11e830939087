import { options, render } from 'preact';
import { Router } from 'wouter-preact';
import { Toasts } from './kit/toasts.tsx';
import { Login } from './shell/login.tsx';
import { SessionProvider } from './shell/session.tsx';
import { Shell } from './shell/shell.tsx';
import './styles/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
import './styles/kit.css';
import './styles/table.css';
import './styles/shell.css';

// Effects run before the next event rather than after the next frame, which may be late on a busy
// machine: so every listener exists before a key is pressed, and no effect undoes text typed in the
// meantime.
options.requestAnimationFrame = (run) => queueMicrotask(run);

render(<App />, document.getElementById('app')!);

function App() {
  return (
    <Router base="/portal">
      <SessionProvider login={(onIn, ended) => <Login onIn={onIn} ended={ended} />}>
        <Shell />
      </SessionProvider>
      <Toasts />
    </Router>
  );
}
