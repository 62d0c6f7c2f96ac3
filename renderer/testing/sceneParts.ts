import { structuredPatch } from 'diff';
import type { Change } from '../../shared/model/change.ts';
import type { Lane } from '../../shared/model/lane.ts';
import { defaultSettings } from '../../shared/model/settings.ts';
import type { Task } from '../../shared/model/task.ts';
import type { ProjectInfo, WorkbenchState } from '../../shared/model/workbench.ts';

/** The time of the scenes: the machine's, or one that stands still where their pictures are compared. */
export const sceneClock = { nowMs: (): number => Date.now() };

export const ago = (seconds: number): string => new Date(sceneClock.nowMs() - seconds * 1000).toISOString();

export const project = '/home/mira/code/slugline';

export const projectInfo: ProjectInfo = {
  path: project,
  name: 'slugline',
  trust: 'trusted',
  branch: 'mend-trailing-dash',
  openedAt: '2026-11-20T09:00:00.000Z',
  exists: true,
};

export const workbench: WorkbenchState = {
  version: '0.1.0',
  home: '/home/mira',
  platform: 'linux',
  settings: defaultSettings,
  projects: [
    projectInfo,
    { ...projectInfo, path: '/home/mira/code/tide-tables', name: 'tide-tables', openedAt: '2026-11-18T09:00:00.000Z' },
    {
      ...projectInfo,
      path: '/home/mira/code/garden-planner',
      name: 'garden-planner',
      trust: 'restricted',
      openedAt: '2026-11-12T09:00:00.000Z',
    },
  ],
  sessions: {},
  providers: [
    {
      name: 'ollama',
      kind: 'openai_compatible',
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'qwen3-coder:30b',
      hasKey: false,
      local: true,
      usable: true,
    },
    {
      name: 'scripted',
      kind: 'scripted',
      baseUrl: '',
      model: 'sample',
      hasKey: false,
      local: true,
      usable: true,
    },
  ],
  activeProvider: 'ollama',
  sandbox: { available: true, why: '' },
  keys: { kept: 'keychain', path: '' },
};

const laneOf = (name: string, more: Partial<Lane>): Lane => ({
  name,
  home: project,
  branch: `vise/${name}`,
  state: 'open',
  tree: `/home/mira/.local/share/vise/lanes/${name}`,
  folder: `/home/mira/.local/share/vise/lanes/${name}`,
  start: '4f1c9d2',
  base: '4f1c9d2',
  session: `s-${name}`,
  createdAt: '2026-11-20T13:40:00.000Z',
  port: 41_000,
  files: 0,
  additions: 0,
  deletions: 0,
  commits: 0,
  ...more,
});

export const lanes: readonly Lane[] = [
  laneOf('typed-api', { files: 4, additions: 61, deletions: 12 }),
  laneOf('no-polyfill', { files: 2, additions: 3, deletions: 88, commits: 1 }),
  laneOf('old-idea', { state: 'closed', session: null, commits: 2 }),
];

/** Ids of made-up content: any 64 hex digits will do for a host that keeps its own table. */
export const contents = new Map<string, string>();

export function contentId(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  const id = hash.toString(16).padStart(8, '0').repeat(8);
  contents.set(id, text);
  return id;
}

export function changeOf(path: string, before: string | null, after: string | null): Change {
  const { hunks } = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context: 0 });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path,
    status: before === null ? 'added' : after === null ? 'deleted' : 'modified',
    before: before === null ? null : contentId(before),
    after: after === null ? null : contentId(after),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines }, index) => ({
      index,
      // jsdiff counts an empty side from the line after the gap, ours from the line before it.
      oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
      oldLines,
      newStart: newLines === 0 ? newStart - 1 : newStart,
      newLines,
    })),
  };
}

export function taskOf(id: string, command: string, more: Partial<Task>): Task {
  return {
    id,
    title: command,
    command,
    mode: 'shell',
    cwd: project,
    kind: 'agent',
    state: 'running',
    createdAt: ago(80),
    startedAt: ago(72),
    lastOutputAt: ago(3),
    outputBytes: 4210,
    logPath: `/home/mira/.local/state/vise/tasks/${id}.log`,
    ...more,
  };
}
