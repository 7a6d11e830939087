import { Router } from 'wouter-preact';
import { Toasts } from './kit/toasts.tsx';
import { Login } from './shell/login.tsx';
import { SessionProvider } from './shell/session.tsx';
import { Shell } from './shell/shell.tsx';

export function App() {
  return (
    <Router base="/portal">
      <SessionProvider login={(onIn, ended) => <Login onIn={onIn} ended={ended} />}>
        <Shell />
      </SessionProvider>
      <Toasts />
    </Router>
  );
}
