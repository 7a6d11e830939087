import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/base.css';
import './verify.css';
import { VerifyPage } from './page.tsx';
import { readPageData } from './page-data.ts';

render(<VerifyPage data={readPageData()} />, document.getElementById('app')!);
