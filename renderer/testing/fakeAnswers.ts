import type { FakeHandlers, FakeHost } from './fakeHost.ts';
import { gitState } from './gitScene.ts';
import { contents, lanes, project, projectInfo } from './sceneParts.ts';
import { after, before } from './scenes.ts';

const files = [
  'src/slug.ts',
  'src/slug.test.ts',
  'src/fold.ts',
  'src/index.ts',
  'README.md',
  'package.json',
  'tsconfig.json',
];

function entriesOf(folder: string) {
  const inside = files.filter((file) => folder === '' || file.startsWith(`${folder}/`));
  const names = new Set(inside.map((file) => file.slice(folder === '' ? 0 : folder.length + 1).split('/')[0] ?? ''));
  return [...names].map((name) => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const kind = files.includes(path) ? ('file' as const) : ('directory' as const);
    return { name, path, kind, ignored: false };
  });
}

const screen = [
  '\u001b[1m> slugline@1.2.0 dev\u001b[0m',
  '> vite',
  '',
  '  \u001b[32m\u001b[1mVITE\u001b[22m v8.3.8\u001b[39m  ready in \u001b[1m412 ms\u001b[22m',
  '',
  '  \u001b[32m>\u001b[39m  \u001b[1mLocal\u001b[22m:   \u001b[36mhttp://127.0.0.1:\u001b[1m5173\u001b[22m/\u001b[39m',
  '  \u001b[32m>\u001b[39m  \u001b[2mpress \u001b[22m\u001b[1mh + enter\u001b[22m\u001b[2m to show help\u001b[22m',
  '\u001b[2m14:02:11\u001b[22m \u001b[36m[vite]\u001b[39m \u001b[32mhmr update\u001b[39m \u001b[2m/src/slug.ts\u001b[22m',
  'src/slug.ts:12:3 - warning: unused',
].join('\r\n');

/** Plausible answers of an engine in the middle of the scenes. */
export function fakeAnswers(host: () => FakeHost): FakeHandlers {
  return {
    'content.read': ({ id }) => ({ text: contents.get(id) ?? '', sizeBytes: 0, eol: '\n', encoding: 'utf-8' }),
    'change.fresh': ({ call }) => ({
      stale: call === 'c7' ? [{ path: 'src/slug.test.ts', why: 'it was saved 12 s ago' }] : [],
    }),
    'permission.answer': ({ session, call, decision }) => {
      const at = new Date().toISOString();
      const isDenied = decision === 'deny';
      host().emit(session, {
        type: 'permission.answered',
        call,
        answer: { at, decision: isDenied ? 'deny' : 'allow', by: 'user' },
      });
      host().emit(session, {
        type: 'tool.finished',
        call,
        tool: 'run',
        result: isDenied
          ? { success: false, error: { code: 'PERMISSION_DENIED', message: 'The person denied this call.' } }
          : { success: true, data: {} },
      });
      return {};
    },
    'change.answer': ({ session, answers }) => {
      for (const { call, decision } of answers) {
        const answered = decision === 'deny' ? ('deny' as const) : ('allow' as const);
        const at = new Date().toISOString();
        host().emit(session, {
          type: 'permission.answered',
          call,
          answer: { at, decision: answered, by: 'user' },
        });
        host().emit(session, { type: 'tool.finished', call, tool: 'edit_file', result: { success: true, data: {} } });
      }
      return {};
    },
    'permission.backtest': () => ({
      considered: 41,
      matched: [
        { at: '', summary: '', answered: '' },
        { at: '', summary: '', answered: '' },
      ],
    }),
    'settings.project': () => ({
      state: 'counts',
      narrows: { 'agent.maxIterations': 12, 'git.protectedBranches': ['main', 'release/*'] },
      notices: ['.vise/settings.json: browser.program is nothing that a project may set.'],
    }),
    'permission.rules': () => ({
      rules: [
        {
          id: 'r1',
          effect: 'allow',
          scope: 'project',
          match: { command: ['npm', 'test'] },
          createdAt: '2026-11-14T10:00:00Z',
        },
        { id: 'r2', effect: 'deny', scope: 'user', match: { path: '**/.env*' }, createdAt: '2026-10-02T10:00:00Z' },
      ],
      problems: [],
    }),
    'file.list': ({ path }) => ({ entries: entriesOf(path === '.' ? '' : path), truncated: false }),
    'file.marks': () => ({ marks: { 'src/slug.ts': 'modified', src: 'modified' } }),
    'file.read': ({ path }) => ({ text: path === 'src/slug.ts' ? before : after, sizeBytes: before.length }),
    'file.find': ({ query }) => ({ paths: files.filter((file) => file.includes(query)) }),
    'task.attach': () => ({ channel: 1, screen, ended: false, convertEol: false }),
    'task.log': () => ({
      text: 'src/slug.ts:12:3\nhttp://127.0.0.1:5173/\n',
      nextOffset: 0,
      sizeBytes: 40,
      path: '/tmp/log',
    }),
    'task.find': ({ query }) => ({
      total: 3,
      lines: [
        { line: 4, text: `ready, ${query} found`, before: ['> vite'], after: [''] },
        { line: 90, text: `${query} again`, before: ['before it', 'and before'], after: ['and after'] },
      ],
    }),
    'file.locate': ({ paths }) => ({ found: paths.map((path) => (files.includes(path) ? path : null)) }),
    'git.state': () => ({ state: gitState }),
    'lane.list': () => ({ lanes, told: [] }),
    'task.detach': () => ({}),
    'task.resize': () => ({}),
    'task.input': ({ data }) => {
      host().write(1, new TextEncoder().encode(data));
      return {};
    },
    'tool.list': () => ({
      tools: ['read_file', 'list_directory', 'grep_search', 'edit_file', 'write_file', 'run'].map((name) => ({
        name,
        category: /edit|write/.test(name) ? 'file' : name === 'run' ? 'shell' : 'search',
        permission: /edit|write|run/.test(name) ? 'dangerous' : 'none',
        about: name,
        source: 'built-in',
        byPerson: true,
        phases: /edit|write/.test(name) ? ['PATCHING'] : ['EXPLORING', 'PLANNING', 'PATCHING', 'VERIFYING'],
      })),
    }),
    'project.open': () => ({ project: projectInfo }),
    'project.risks': () => ({
      hash: 'x',
      risks: [
        { kind: 'spec', path: '.cli-bridge/specs/deploy.json', what: 'runs deploy.sh of this folder' },
        { kind: 'mcp', path: '.mcp.json', what: 'starts npx -y @acme/server' },
      ],
    }),
    'project.trust': () => ({}),
    'folder.list': ({ path }) => ({
      path: path ?? '/home/mira/code',
      parent: '/home/mira',
      folders: ['garden-planner', 'notes', 'slugline', 'tide-tables'].map((name) => ({
        name,
        path: `/home/mira/code/${name}`,
        project: name !== 'notes',
      })),
    }),
    'session.create': () => ({ session: 's-done' }),
    'session.send': ({ session, text }) => {
      const turn = `t${Date.now()}`;
      const isBusy = host().state(session).turn !== null;
      host().emit(session, isBusy ? { type: 'message.queued', id: turn, text } : { type: 'turn.started', turn, text });
      return { turn, queued: isBusy };
    },
    'session.configure': () => ({}),
    'provider.models': () => ({
      models: [
        { name: 'gpt-5.5', window: 400_000, price: { input: 1.25, cached: 0.125, output: 10 } },
        { name: 'qwen3-coder:30b' },
      ],
    }),
    'session.model': () => ({
      model: {
        name: 'gpt-5.5',
        provider: 'openai',
        window: 400_000,
        price: { input: 1.25, cached: 0.125, output: 10 },
        efforts: ['low', 'medium', 'high'],
        effort: 'high',
        dialect: 'responses',
        dialectFrom: 'catalogue',
        ofPhase: [],
      },
    }),
    'usage.today': () => ({
      usage: { requests: 40, input: 812_000, cached: 700_000, output: 20_000, reasoning: 0, cost: 1.21, saved: 0.8 },
    }),
    'provider.detect': () => ({
      found: [{ name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['qwen3-coder:30b'] }],
    }),
    'change.undo': ({ session, changeSet }) => {
      host().emit(session, { type: 'change.undone', changeSet, files: ['src/slug.ts'] });
      return { files: ['src/slug.ts'], skipped: [] };
    },
    'project.sample': () => ({ project: { ...projectInfo, path: project, sample: true } }),
  };
}
