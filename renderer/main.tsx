import './client/noEval.ts';
import './theme/index.css';
import { openTransport } from './client/transport.ts';
import { start } from './shell/start.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('The page has no root.');
start(place, openTransport);
