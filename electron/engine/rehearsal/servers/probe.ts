import { askServer } from './askServer.ts';
import { exitCodes, type ProbeOrder } from './probeOrder.ts';
import { printLine } from './serverLines.ts';

// A program of its own: it stands between a language server and the console, in the sandbox with it, and ends with it.
const order = JSON.parse(process.argv[2] ?? '{}') as ProbeOrder; // as `probeRequest` writes it
const answer = await askServer(order);
const text = answer.ok ? answer.value.map((line) => `${printLine(line)}\n`).join('') : `${answer.error.message}\n`;
const stream = answer.ok ? process.stdout : process.stderr;
const isRed = answer.ok && answer.value.some(({ severity }) => severity === 'error');
stream.write(text, () => process.exit(answer.ok ? (isRed ? exitCodes.red : exitCodes.clean) : exitCodes.failed));
