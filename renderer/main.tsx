import './app/noEval.ts';
import './theme/index.css';
import { start } from './app/start.tsx';
import { openTransport } from './app/transport.ts';

const place = document.getElementById('root');
if (!place) throw new Error('The page has no root.');
start(place, openTransport);
