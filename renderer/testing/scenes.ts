import type { Approval } from '../../shared/model/call.ts';
import type { SessionEvent } from '../../shared/model/event.ts';
import type { Intent } from '../../shared/model/intent.ts';
import type { FakeHost } from './fakeHost.ts';
import { ago, changeOf, project, taskOf } from './sceneParts.ts';

export const before = `import { fold } from './fold.ts';

export interface SlugOptions {
  readonly separator?: string;
  readonly lower?: boolean;
}

const letters = /[\\p{L}\\p{N}]+/gu;

/** Makes a slug of a title: letters and digits, joined by the separator. */
export function slug(title: string, options: SlugOptions = {}): string {
  const separator = options.separator ?? '-';
  const words = fold(title).match(letters) ?? [];
  let out = '';
  for (const word of words) {
    out += word + separator;
  }
  return options.lower === false ? out : out.toLowerCase();
}

export function isSlug(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text);
}

export const version = '1.2.0';
`;

export const after = before
  .replace(
    `  let out = '';
  for (const word of words) {
    out += word + separator;
  }
  return options.lower === false ? out : out.toLowerCase();`,
    `  const out = words.join(separator);
  return options.lower === false ? out : out.toLowerCase();`,
  )
  .replace('/^[a-z0-9-]+$/', '/^[a-z0-9]+(?:-[a-z0-9]+)*$/')
  .replace("'1.2.0'", "'1.2.1'");

const testBefore = `import { expect, test } from 'vitest';
import { slug } from './slug.ts';

test('joins words', () => {
  expect(slug('Hold the line')).toBe('hold-the-line');
});
`;
const testAfter = `${testBefore}
test('ends without a separator', () => {
  expect(slug('Hold!')).toBe('hold');
});
`;

const reads = (summary: string, path: string): Intent => ({
  risk: 'none',
  effects: ['reads'],
  targets: [{ kind: 'path', path, access: 'read' }],
  summary,
  preview: { kind: 'none' },
});

export const edits = (path: string, old: string | null, now: string): Intent => ({
  risk: 'dangerous',
  effects: ['writes'],
  targets: [{ kind: 'path', path, access: 'write' }],
  summary: `Edit ${path}`,
  preview: { kind: 'changes', changes: [changeOf(path, old, now)] },
});

export const runs = (command: string): Intent => ({
  risk: 'dangerous',
  effects: ['executes'],
  targets: [{ kind: 'command', command, cwd: project }],
  summary: `Run ${command.slice(0, 60)}`,
  preview: { kind: 'command', command, cwd: project, mode: 'shell', hash: 'x' },
});

export const approvalOf = (words: readonly string[], severe = false): Approval => ({
  askedAt: ago(34),
  reasons: ['Commands are asked each time'],
  severe,
  rememberable: !severe,
  suggestions: [
    { id: 's1', effect: 'allow', scope: 'project', match: { command: words } },
    { id: 's2', effect: 'allow', scope: 'project', match: { command: [words[0] ?? ''] } },
  ],
});

/** A session up to the patch that waits for review, with a build in the background. */
export function playReview(host: FakeHost, id: string): void {
  let second = 190;
  const say = (event: SessionEvent, after = 2): void => {
    second -= after;
    host.emit(id, event, ago(second));
  };
  const call = (name: string, tool: string, intent: Intent, input: unknown, data: unknown): void => {
    say({ type: 'tool.proposed', call: name, turn: 't1', tool, level: 'none', input, intent });
    say({ type: 'tool.started', call: name }, 0);
    say({ type: 'tool.finished', call: name, tool, result: { success: true, data } }, 0.4);
  };
  say({
    type: 'session.started',
    id,
    project,
    title: 'Trailing dash in slugs',
    mode: 'phased',
    provider: 'ollama',
    model: 'qwen3-coder:30b',
  });
  say({
    type: 'turn.started',
    turn: 't1',
    text: '`slug("Hold!")` gives `hold-`. Find out why, mend it, and add a test. @src/slug.ts',
    attachments: [{ kind: 'file', path: 'src/slug.ts' }],
  });
  say({ type: 'phase.changed', from: 'IDLE', to: 'EXPLORING', cause: 'a new task' });
  say({ type: 'iteration.counted', iterations: 6, maxIterations: 20 });
  call('c1', 'list_directory', reads('List src', 'src'), { path: 'src' }, { entries: 4 });
  call('c2', 'read_file', reads('Read src/slug.ts', 'src/slug.ts'), { filePath: 'src/slug.ts' }, { content: before });
  call('c3', 'read_file', reads('Read src/fold.ts', 'src/fold.ts'), { filePath: 'src/fold.ts' }, { content: '…' });
  call('c4', 'grep_search', reads('Search "separator"', '.'), { query: 'separator' }, { matches: 3 });
  say({
    type: 'findings.reported',
    findings: [
      '`slug` appends the separator after every word, the last one included',
      '`isSlug` accepts a trailing dash',
    ],
    files: ['src/slug.ts', 'src/fold.ts'],
    constraints: ['No new dependency', 'The public signature stays'],
  });
  say({ type: 'phase.changed', from: 'EXPLORING', to: 'PLANNING', cause: 'report_findings' });
  say({
    type: 'plan.reported',
    replan: false,
    steps: [
      {
        id: '1',
        intent: 'Join the words instead of appending',
        targetFiles: ['src/slug.ts'],
        state: 'running',
        retries: 0,
      },
      { id: '2', intent: 'Test the end of a slug', targetFiles: ['src/slug.test.ts'], state: 'pending', retries: 0 },
      { id: '3', intent: 'Run the tests', targetFiles: [], state: 'pending', retries: 0 },
    ],
  });
  say({
    type: 'todos.changed',
    by: 'agent',
    todos: [
      { content: 'Find where the dash comes from', status: 'completed' },
      { content: 'Mend it without a new signature', status: 'in_progress' },
      { content: 'Tell what changed for callers', status: 'pending' },
    ],
  });
  say({ type: 'phase.changed', from: 'PLANNING', to: 'PATCHING', cause: 'report_plan' });
  say({
    type: 'message',
    turn: 't1',
    role: 'assistant',
    text: 'The loop in `slug` adds the separator after **every** word, so the last one keeps it:\n\n```ts\nout += word + separator;\n```\n\nI will:\n\n1. join the words instead,\n2. make `isSlug` refuse a trailing dash,\n3. add a test for the end of a slug.\n\n| title | before | after |\n|---|---|---|\n| Hold! | `hold-` | `hold` |',
    reasoning: 'The separator is appended inside the loop. A join is the smallest change that keeps the signature.',
  });
  say({
    type: 'tool.proposed',
    call: 'c5',
    turn: 't1',
    tool: 'run',
    level: 'dangerous',
    input: { command: 'npm test' },
    intent: runs('npm test'),
  });
  say(
    {
      type: 'permission.answered',
      call: 'c5',
      answer: { at: ago(60), decision: 'allow', by: 'rule', rule: 'allow command npm test' },
    },
    0,
  );
  say({ type: 'tool.started', call: 'c5' }, 0);
  const test = taskOf('k2', 'npm test', { call: 'c5', state: 'completed', exitCode: 1, endedAt: ago(50) });
  say({ type: 'task.started', task: test }, 0);
  say({ type: 'task.ended', task: test }, 0);
  say(
    {
      type: 'tool.output',
      call: 'c5',
      text: '\u001b[31m✗\u001b[0m ends without a separator\n  expected "hold" but got "hold-"\n',
    },
    0,
  );
  say(
    {
      type: 'tool.finished',
      call: 'c5',
      tool: 'run',
      result: {
        success: true,
        data: { exitCode: 1, stdout: '✗ ends without a separator\n  expected "hold" but got "hold-"\n' },
      },
    },
    8,
  );
  say(
    {
      type: 'task.started',
      task: taskOf('k1', 'npm run dev', { pid: 48213, ports: [5173], background: 'estimated', estimateSeconds: 60 }),
    },
    0,
  );
  say(
    { type: 'task.queued', task: taskOf('k3', 'npm run build', { state: 'queued', place: 2, startedAt: undefined }) },
    0,
  );
  say(
    {
      type: 'usage',
      turn: 't1',
      usage: { requests: 5, input: 18_420, output: 1210, cached: 12_000, reasoning: 310, cost: 0.0231 },
      contextTokens: 13_600,
      contextLimit: 32_768,
    },
    0,
  );
  const one = edits('src/slug.ts', before, after);
  const two = edits('src/slug.test.ts', testBefore, testAfter);
  say({ type: 'tool.proposed', call: 'c6', turn: 't1', tool: 'edit_file', level: 'dangerous', input: {}, intent: one });
  say(
    { type: 'tool.proposed', call: 'c7', turn: 't1', tool: 'edit_file', level: 'dangerous', input: {}, intent: two },
    0,
  );
  const asked: Approval = {
    askedAt: ago(34),
    reasons: ['Changes are reviewed before they are written'],
    severe: false,
    rememberable: false,
    suggestions: [],
  };
  say({ type: 'permission.asked', call: 'c6', approval: asked }, 0);
  say({ type: 'permission.asked', call: 'c7', approval: asked }, 0);
}
