import { options, render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/fonts.css';
import './styles/base.css';
import './styles/kit.css';
import './styles/table.css';
import './styles/shell.css';

// Effects run before the next event, not after the next frame, which may be late on a busy machine:
// no key is pressed before its listener is there, no effect undoes what was typed in the meantime.
options.requestAnimationFrame = (run) => queueMicrotask(run);

render(<App />, document.getElementById('app')!);
