import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeFile, stalePage } from '../../.setup/madePage.ts';
import { terminalPicture } from '../../.setup/terminalPicture.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** Pictures of docs/, each drawn from what a test has seen on a terminal. */
const pictures = [
  ['first-task.svg', 'terminal/pictures/exec-running-100-colours.txt'],
  ['chat.svg', 'chat/pictures/chat-asked-100-colours.txt'],
  ['no-model.svg', 'chat/pictures/first-100-colours.txt'],
] as const;

test.each(pictures)('docs/%s shows what the command line prints', (name, from) => {
  const made = terminalPicture(readFileSync(join(import.meta.dirname, from), 'utf8'));
  const { written, fresh } = madeFile(join(docs, name), made);
  expect(written, stalePage).toBe(fresh);
});
