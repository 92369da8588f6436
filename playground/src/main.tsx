import { render } from 'preact';

const root = document.getElementById('app');
if (root) render(<h1>Messaging playground</h1>, root);
