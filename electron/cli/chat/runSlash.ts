import { join } from 'node:path';
import { modes } from '../../../shared/model/phase.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Failure } from '../../../shared/result.ts';
import { type SlashName, slashCommandsIn, usageOf } from '../../../shared/text/slashCommands.ts';
import { visible } from '../../../shared/text/visible.ts';
import { findPlaces } from '../../engine/base/places.ts';
import { loadProviderFile } from '../../engine/model/providerFile.ts';
import { resolveProvider } from '../../engine/model/providerSettings.ts';
import { findSession } from '../base/findSession.ts';
import { forTerminal } from '../base/forTerminal.ts';
import type { Io } from '../base/io.ts';
import type { Started } from '../base/startEngine.ts';
import { termList } from '../base/termList.ts';
import { diffLines } from '../terminal/diffLines.ts';
import type { Screen } from '../terminal/screen.ts';
import { costSlash, effortSlash, modelSlash } from './modelSlash.ts';
import { rewindSlash } from './rewindSlash.ts';
import { sessionDiff, sessionsText, tasksText, undoLast } from './sessionTexts.ts';
import type { Terminal } from './terminal.ts';

export interface ChatParts {
  readonly io: Io;
  readonly terminal: Terminal;
  readonly started: Started;
  readonly project: string;
  readonly screen: Screen | undefined;
  /** The session that is talked with now. */
  readonly session: () => string;
}

/** What the loop does after a command. */
export type Next =
  | { readonly kind: 'stay' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'new' }
  /** A turn has begun. */
  | { readonly kind: 'turn' };

const stay: Next = { kind: 'stay' };

export async function runSlash(name: SlashName<'terminal'>, args: readonly string[], parts: ChatParts): Promise<Next> {
  const { io, started, project } = parts;
  const say = (text: string): Next => {
    io.out(`${forTerminal(text)}\n`);
    return stay;
  };
  const refuse = (error: Failure): Next => say(`error: ${error.message}`);
  const width = parts.screen?.columns();
  const [first = '', second] = args;
  switch (name) {
    case 'help':
      return say(
        termList(
          slashCommandsIn('terminal').map((command) => [usageOf(command), command.about]),
          width ?? Number.POSITIVE_INFINITY,
        ).trimEnd(),
      );
    case 'config':
      return say(describeConfig(parts));
    case 'cwd':
      return say(project);
    case 'provider':
      return chooseProvider(first, parts, say);
    case 'mode':
      return changeMode(first, parts, say);
    case 'model':
      return say(await modelSlash(first, { started, state: stateOf(parts) }));
    case 'effort':
      return say(await effortSlash(first, { started, state: stateOf(parts) }));
    case 'cost':
      return say(await costSlash({ started, state: stateOf(parts) }));
    case 'session': {
      const { id, title, mode, facts, turns } = stateOf(parts);
      return say(
        `${id}  ${title || '(untitled)'}  ${mode}${mode === 'phased' ? ` ${facts.phase}` : ''}  ${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      );
    }
    case 'sessions':
      return say(sessionsText(started.engine.sessions.list(), width));
    case 'load':
    case 'resume': {
      const { project: own } = stateOf(parts);
      const list = started.engine.sessions.list();
      if (first === '') return say(sessionsText(list.filter((one) => one.project === own).slice(0, 10), width));
      // The session that is talked with is the newest one, and none to go on with.
      const others = first === 'last' ? list.filter(({ id }) => id !== parts.session()) : list;
      const found = findSession(others, first, own);
      if (!found.ok) return refuse(found.error);
      const opened = await started.engine.sessions.open(found.value);
      return opened.ok ? { kind: 'session', id: found.value } : refuse(opened.error);
    }
    case 'undo':
      return say(await undoLast(stateOf(parts), started.client));
    case 'rewind':
      return say(await rewindSlash(args, stateOf(parts), started.client, width));
    case 'diff':
      return showChanges(parts, say);
    case 'tasks':
      return say(tasksText(stateOf(parts), width));
    case 'clear':
      return { kind: 'new' };
    case 'continue': {
      const begun = await started.client.call('session.continue', { session: parts.session() });
      return begun.ok ? { kind: 'turn' } : refuse(begun.error);
    }
    case 'files':
      return say(await look('list_directory', { path: first || '.', recursive: true }, parts, filesText));
    case 'read':
      return say(await look('read_file', { filePath: first }, parts, ({ content }) => String(content)));
    case 'search':
      return say(await look('grep_search', { pattern: literal(first), path: second }, parts, hitsText));
    case 'init':
      return init(parts, say);
    case 'exit':
      return { kind: 'exit' };
  }
}

function stateOf({ started, session }: Pick<ChatParts, 'started' | 'session'>): SessionState {
  const live = started.engine.sessions.live(session());
  if (!live) throw new Error('the session of the chat is not open');
  return live.session.state;
}

function describeConfig({ io, started, project, session }: ChatParts): string {
  const { provider, model } = stateOf({ started, session });
  const { file } = loadProviderFile(configPath(io));
  const resolved = resolveProvider(file, io.env, provider === '' || provider === 'default' ? {} : { provider });
  const rows: readonly (readonly [string, string])[] = resolved.ok
    ? [
        ['provider', provider || resolved.value.name],
        ['model', model || resolved.value.model],
        ['base_url', resolved.value.baseUrl],
        ['timeout', `${resolved.value.timeoutMs / 1_000} s`],
        ['debug', resolved.value.debug ? 'on' : 'off'],
        ['key', resolved.value.apiKey === '' ? 'not set' : 'configured'],
      ]
    : [['provider', `${provider} (${resolved.error.message})`]];
  return [...rows, ['workdir', project] as const].map(([key, value]) => `${key.padEnd(10)} ${value}`).join('\n');
}

/** A text as a pattern that means just that text. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function configPath(io: Io): string {
  return join(findPlaces(io.env).config, 'config.json');
}

async function chooseProvider(name: string, parts: ChatParts, say: (text: string) => Next): Promise<Next> {
  const { io, started, session } = parts;
  const { file } = loadProviderFile(configPath(io));
  const names = Object.keys(file.providers);
  const { provider } = stateOf(parts);
  if (name === '')
    return say(names.map((one) => `${one === provider ? '*' : ' '} ${one}`).join('\n') || 'no providers yet');
  if (!names.includes(name)) return say(`error: unknown provider: ${name}. Available: ${names.join(', ') || 'none'}`);
  const active = await started.client.call('provider.activate', { name });
  if (!active.ok) return say(`error: ${active.error.message}`);
  const model = file.providers[name]?.['llm_model'];
  await started.client.call('session.configure', {
    session: session(),
    provider: name,
    model: typeof model === 'string' ? model : '',
  });
  return say(`provider: ${name}`);
}

async function showChanges(parts: ChatParts, say: (text: string) => Next): Promise<Next> {
  const { screen, started, session } = parts;
  const diff = await sessionDiff(stateOf(parts), started.client, session());
  if (diff === '' || screen === undefined) return say(diff === '' ? 'nothing has been changed' : visible(diff).text);
  screen.print(diffLines(visible(diff).text, screen.columns() - 1));
  return stay;
}

async function changeMode(given: string, parts: ChatParts, say: (text: string) => Next): Promise<Next> {
  if (given === '') return say(stateOf(parts).mode);
  const mode = modes.find((one) => one === given);
  if (!mode) return say(`error: the modes are ${modes.join(', ')}`);
  const changed = await parts.started.client.call('session.configure', { session: parts.session(), mode });
  return say(changed.ok ? `mode: ${mode}` : `error: ${changed.error.message}`);
}

async function init({ started, terminal, session }: ChatParts, say: (text: string) => Next): Promise<Next> {
  const begin = (replace: boolean) => started.client.call('session.init', { session: session(), replace });
  let begun = await begin(false);
  if (!begun.ok && begun.error.code === 'FILE_EXISTS') {
    const said = await terminal.answer('There is a PROJECT.md already. Replace it? y/N ');
    if (!/^\s*y(es)?\s*$/i.test(said ?? '')) return say('kept');
    begun = await begin(true);
  }
  return begun.ok ? { kind: 'turn' } : say(`error: ${begun.error.message}`);
}

type Data = Readonly<Record<string, unknown>>;

/** One reading call outside of the conversation, through the same gate as any other. */
async function look(
  tool: string,
  input: unknown,
  { started, project }: ChatParts,
  text: (data: Data) => string,
): Promise<string> {
  const result = await started.engine.callTool(project, tool, input, new AbortController().signal);
  if (!result.success) return `error: ${result.error.message}`;
  const data = result.data as Data; // the readers answer objects
  return visible(`${text(data)}${data['truncated'] === true ? '\n[truncated]' : ''}`).text;
}

function filesText(data: Data): string {
  const entries = data['entries'] as readonly { readonly path: string; readonly type: string }[]; // list_directory's own answer
  return entries.map(({ path, type }) => (type === 'directory' ? `${path}/` : path)).join('\n') || 'no files';
}

function hitsText(data: Data): string {
  // grep_search's own answer
  const matches = data['matches'] as readonly { readonly file: string; readonly line: number; readonly text: string }[];
  return matches.map(({ file, line, text }) => `${file}:${line}: ${text.trim()}`).join('\n') || 'no matches';
}
