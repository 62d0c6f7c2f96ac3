import { useShown } from '../view/shown.ts';
import '../client/noEval.ts';
import '../theme/index.css';
import type { Settings } from '../../shared/model/settings.ts';
import { start } from '../shell/start.tsx';
import { fakeAnswers } from './fakeAnswers.ts';
import { createFakeHost, type FakeHost } from './fakeHost.ts';
import { playApproval, playDone } from './moreScenes.ts';
import { project, workbench } from './sceneParts.ts';
import { after, playReview } from './scenes.ts';

/**
 * The window with made-up states and no engine, to look at and to photograph:
 * `gallery.html?scene=review&theme=dark&language=zh-CN`. Never part of the product's build.
 */
const query = new URLSearchParams(location.search);
const scene = query.get('scene') ?? 'review';

declare global {
  interface Window {
    /** For scripts that drive the gallery. */
    fakeHost?: FakeHost;
  }
}

const known = {
  ...workbench,
  settings: {
    ...workbench.settings,
    theme: (query.get('theme') ?? 'dark') as Settings['theme'],
    language: (query.get('language') ?? 'en') as Settings['language'],
  },
  ...(scene === 'welcome' ? { projects: [] } : {}),
  ...(scene === 'noModel' ? { providers: [] } : {}),
};
localStorage.clear();
sessionStorage.clear();

const host: FakeHost = createFakeHost(
  known,
  fakeAnswers(() => host),
);
window.fakeHost = host;
const session = { review: 's-review', approval: 's-approval', done: 's-done', stream: 's-stream', long: 's-long' }[
  scene
];
if (session) {
  playDone(host, 's-done');
  playApproval(host, 's-approval');
  playReview(host, 's-review');
}
if (scene === 'stream' || scene === 'long') {
  const id = `s-${scene}`;
  host.emit(id, {
    type: 'session.started',
    id,
    project,
    title: 'Write it out',
    mode: 'direct',
    provider: 'ollama',
    model: 'qwen3-coder:30b',
  });
  const rounds = scene === 'long' ? 1500 : 0;
  for (let n = 0; n < rounds; n += 1) {
    host.emit(id, { type: 'message', turn: 't', role: 'user', text: `Question ${n}` });
    host.emit(id, {
      type: 'message',
      turn: 't',
      role: 'assistant',
      text: `Answer **${n}** with \`code\` and a list\n\n- one\n- two`,
    });
  }
  host.emit(id, { type: 'turn.started', turn: 't1', text: 'Write it out at length.' });
  host.emit(id, { type: 'reasoning.delta', turn: 't1', text: 'First the outline, then each part in turn. ' });
}
useShown.setState({ project, session: session ?? null });

const root = document.getElementById('root');
if (!root) throw new Error('The gallery has no root.');
start(root, () => host.connect());

if (scene === 'stream') {
  const words =
    `## What changes\n\nThe loop is replaced by a join.\n\n\`\`\`ts\n${after}\`\`\`\n\nThen:\n\n- the test is added\n- the version is raised\n\n`.repeat(
      8,
    );
  let at = 0;
  const step = (): void => {
    host.emit('s-stream', { type: 'text.delta', turn: 't1', text: words.slice(at, at + 6) });
    at += 6;
    if (at < words.length) setTimeout(step, 4);
  };
  setTimeout(step, 600);
}
