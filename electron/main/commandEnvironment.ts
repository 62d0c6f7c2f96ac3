import { spawn } from 'node:child_process';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isRecord, readJsonFile, writeJsonFile } from '../engine/base/jsonFile.ts';
import type { Log } from '../engine/base/log.ts';
import { StartedGroup } from '../engine/base/signals.ts';
import { quoteWord } from '../engine/shell/quoteWord.ts';
import { withoutPackaging } from './packagingVariables.ts';

type Environment = Record<string, string | undefined>;

/** A profile that asks something would never end. */
const limitMs = 10_000;
const mark = 'vise-environment:';

export interface CommandEnvironment {
  /** Read at each command; what the login shell says is added to it when it is known. */
  readonly environment: Environment;
  /** Aborts a shell that is still being asked. */
  readonly settled: AbortController;
}

/**
 * The environment of commands. An app that a desktop starts has a bare PATH (macOS Finder, Linux docks), so the login
 * shell is asked once in the background, as VS Code does; its PATH of the last start stands in until it has answered.
 * Only PATH is kept on the disk: a person's profile may export secrets.
 */
export function commandEnvironment({
  userData,
  log,
  own = process.env,
}: {
  readonly userData: string;
  readonly log: Log;
  readonly own?: Environment;
}): CommandEnvironment {
  const environment: Environment = withoutPackaging(own);
  const settled = new AbortController();
  // A terminal has run the profile already, and Windows has no such thing.
  const isFromTerminal = own['TERM'] !== undefined && own['TERM'] !== 'dumb';
  if (process.platform === 'win32' || isFromTerminal) return { environment, settled };
  const file = join(userData, 'loginPath.json');
  const kept = readJsonFile(file);
  if (kept.state === 'read' && isRecord(kept.value) && typeof kept.value['path'] === 'string')
    environment['PATH'] = kept.value['path'];
  askLoginShell(environment, settled.signal).then(
    (answer) => {
      for (const [name, value] of Object.entries(withoutPackaging(answer))) environment[name] = value;
      if (answer['PATH'] !== undefined) writeJsonFile(file, { path: answer['PATH'] });
    },
    (error: unknown) => settled.signal.aborted || log.warn('the login shell did not tell its environment', error),
  );
  return { environment, settled };
}

/** What the person's login shell exports. Rejects when it fails, says nothing or takes longer than 10 s. */
async function askLoginShell(environment: Environment, signal: AbortSignal): Promise<Environment> {
  const shell = environment['SHELL'] || userInfo().shell || '/bin/sh';
  const program = `process.stdout.write('${mark}' + JSON.stringify(process.env) + '${mark}')`;
  const command = `exec ${quoteWord(process.execPath)} -e ${quoteWord(program)}`;
  // csh and its like take no login option beside a command.
  const options = shell.endsWith('csh') ? '-ic' : '-ilc';
  const child = spawn(shell, [options, command], {
    cwd: homedir(),
    env: { ...environment, ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ATTACH_CONSOLE: '1', VISE_READS_ENVIRONMENT: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true, // an interactive shell takes the terminal of its group
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 2_000_000) said += text;
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const group = new StartedGroup(child);
  const kill = () => group.signal('SIGKILL');
  limit.addEventListener('abort', kill);
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => (limit.aborted ? reject(new Error('it was ended')) : resolve()));
    });
  } finally {
    limit.removeEventListener('abort', kill);
  }
  const answer: unknown = JSON.parse(said.split(mark)[1] ?? 'null');
  if (!isRecord(answer)) throw new Error(`${shell} said nothing that could be read`);
  const {
    ELECTRON_RUN_AS_NODE: _node,
    ELECTRON_NO_ATTACH_CONSOLE: _console,
    VISE_READS_ENVIRONMENT: _asks,
    ...rest
  } = answer;
  return Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
