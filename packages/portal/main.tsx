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

// Runs effects before the next event instead of after the next frame, which may be late on a busy
// machine. Listeners are then in place before a key is pressed, and no effect overwrites text that
// was typed in the meantime.
options.requestAnimationFrame = (run) => queueMicrotask(run);

render(<App />, document.getElementById('app')!);

function App() {
  return (
    <Router base="/portal">
      <SessionProvider
        login={(onLogin, hasEnded) => <Login onLogin={onLogin} hasEnded={hasEnded} />}
      >
        <Shell />
      </SessionProvider>
      <Toasts />
    </Router>
  );
}
