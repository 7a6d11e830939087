import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/kit.css';
import './styles/shell.css';

render(<App />, document.getElementById('app')!);
