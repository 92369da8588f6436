import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { ignoreStrayDrops } from './chat/drop-zone.tsx';

ignoreStrayDrops();
const root = document.getElementById('app');
if (root) render(<App />, root);
