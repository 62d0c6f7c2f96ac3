import { toast } from 'sonner';
import type { Client } from '../../shared/contract/client.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { ProjectInfo } from '../../shared/model/workbench.ts';
import { valueOrToast } from '../client/client.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { setView, showDialog, showProject, showSession, useView } from '../view/view.ts';
import type { Words } from '../words/words.tsx';

/** Opens a folder as a project; one that could run something and was never trusted is asked about at once. */
export async function openProject(client: Client, path: string): Promise<ProjectInfo | undefined> {
  const known = useWorkbenchMirror.getState().state.projects.some((project) => project.path === path);
  const opened = await valueOrToast(client.call('project.open', { path }));
  if (!opened) return undefined;
  showProject(opened.project.path);
  setView({ dialog: null });
  if (!known && opened.project.trust === 'restricted' && !opened.project.sample)
    showDialog({ kind: 'trust', path: opened.project.path });
  return opened.project;
}

export async function openSample(client: Client): Promise<void> {
  const opened = await valueOrToast(client.call('project.sample', {}));
  if (!opened) return;
  showProject(opened.project.path);
  setView(({ focusComposer }) => ({ dialog: null, focusComposer: focusComposer + 1 }));
}

/** The session on show, or a new one in the open project. */
export async function ensureSession(client: Client): Promise<string | undefined> {
  const { session, project } = useView.getState();
  if (session !== null) return session;
  if (project === null) return undefined;
  const created = await valueOrToast(client.call('session.create', { project }));
  if (created) showSession(created.session);
  return created?.session;
}

export async function newSession(client: Client): Promise<void> {
  const { project } = useView.getState();
  if (project === null) return;
  const created = await valueOrToast(client.call('session.create', { project }));
  if (!created) return;
  showSession(created.session);
  setView(({ focusComposer }) => ({ focusComposer: focusComposer + 1 }));
}

/** A copy of a session up to an item of its timeline. With a text, that is offered to be asked anew. */
export async function forkSession(
  client: Client,
  words: Words,
  session: string,
  item: number,
  text?: string,
): Promise<void> {
  const forked = await valueOrToast(client.call('session.fork', { session, item }));
  if (!forked) return;
  showSession(forked.session);
  setView(({ focusComposer }) => ({ suggested: text ?? null, focusComposer: focusComposer + 1 }));
  toast(words.talk.forked);
}

export async function newShell(client: Client): Promise<void> {
  const session = await ensureSession(client);
  if (session === undefined) return;
  const opened = await valueOrToast(client.call('task.shell', { session, columns: 100, rows: 24 }));
  if (opened) setView({ task: opened.task, focusTask: opened.task, showConsole: true, pane: 'console' });
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Changes the settings, one change after the other: each builds on the answer to the one before and does not undo it. */
export function changeSettings(client: Client, change: (settings: Settings) => Settings): void {
  lastChange = lastChange.then(() =>
    valueOrToast(client.call('settings.set', { settings: change(useWorkbenchMirror.getState().state.settings) })),
  );
}

/** Takes a change set back, or applies it again. Where single files have moved on, offers to leave those out. */
export async function moveChangeSet(
  client: Client,
  words: Words,
  way: 'change.undo' | 'change.redo',
  session: string,
  changeSet: string,
): Promise<void> {
  const answer = await client.call(way, { session, changeSet });
  if (!answer.ok && answer.error.code === 'STALE') {
    toast.error(answer.error.message, {
      duration: 15_000,
      action: {
        label: words.review.undoForce,
        onClick: () => void valueOrToast(client.call(way, { session, changeSet, skipStale: true })),
      },
    });
    return;
  }
  const done = await valueOrToast(Promise.resolve(answer));
  if (!done) return;
  toast((way === 'change.undo' ? words.review.undoneToast : words.review.redoneToast)(done.files.length), {
    // One line for going to and fro: a heap of them would hide the console.
    id: `moved ${changeSet}`,
    action: {
      label: way === 'change.undo' ? words.review.redo : words.review.undo,
      onClick: () =>
        void moveChangeSet(client, words, way === 'change.undo' ? 'change.redo' : 'change.undo', session, changeSet),
    },
  });
}

export async function setArchived(client: Client, words: Words, session: string, archived: boolean): Promise<void> {
  const done = await valueOrToast(client.call('session.archive', { session, archived }));
  if (!done || !archived) return;
  if (useView.getState().session === session) showSession(null);
  toast(words.sessions.archivedToast, {
    action: {
      label: words.sessions.undo,
      onClick: () => void valueOrToast(client.call('session.archive', { session, archived: false })),
    },
  });
}
