import { toast } from 'sonner';
import type { InputOf } from '../../shared/contract/api.ts';
import type { Client } from '../../shared/contract/client.ts';
import type { AppliedFile } from '../../shared/model/change.ts';
import type { Phase } from '../../shared/model/phase.ts';
import type { RewindPart } from '../../shared/model/rewind.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { ProjectInfo } from '../../shared/model/workbench.ts';
import { valueOrToast } from '../client/client.ts';
import { hostFeatures } from '../client/hostFeatures.ts';
import { projectAt } from '../mirror/selectors.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { moveComments } from '../view/comments.ts';
import { moveDraft } from '../view/drafts.ts';
import { closeOverlay, openOverlay } from '../view/overlay.ts';
import { focusComposer, showProject, showSession, showTask, suggest } from '../view/show.ts';
import { useShown } from '../view/shown.ts';
import type { Words } from '../words/words.tsx';

/** Opens a folder as a project; one that could run something and was never trusted is asked about at once. */
export async function openProject(client: Client, path: string): Promise<ProjectInfo | undefined> {
  const known = projectAt(useWorkbenchMirror.getState().state, path) !== undefined;
  const opened = await valueOrToast(client.call('project.open', { path }));
  if (!opened) return undefined;
  showProject(opened.project.path);
  closeOverlay();
  if (!known && opened.project.trust === 'restricted' && !opened.project.sample)
    await askForTrust(client, opened.project.path);
  return opened.project;
}

/** A folder that could run nothing is not asked about. */
async function askForTrust(client: Client, path: string): Promise<void> {
  const found = await client.call('project.risks', { path });
  if (!found.ok || found.value.risks.length > 0) openOverlay({ kind: 'trust', path });
}

/** Asks for a folder, by the system's dialog where the host has one, and opens it. */
export async function chooseProject(client: Client): Promise<void> {
  if (hostFeatures.chooseFolder === undefined) return openOverlay({ kind: 'folder' });
  const path = await hostFeatures.chooseFolder();
  if (path !== undefined) await openProject(client, path);
}

export async function openSample(client: Client): Promise<void> {
  const opened = await valueOrToast(client.call('project.sample', {}));
  if (!opened) return;
  showProject(opened.project.path);
  closeOverlay();
  focusComposer();
}

/** Shows a session; its project is opened where it was closed or forgotten. */
export async function openSession(client: Client, session: string, project: string): Promise<void> {
  if (projectAt(useWorkbenchMirror.getState().state, project) || (await openProject(client, project)))
    showSession(session, project);
}

/** Makes a session of what can be read of a damaged one, and shows it. */
export async function copyReadable(client: Client, session: string): Promise<void> {
  const copied = await valueOrToast(client.call('session.copyReadable', { session }));
  if (copied) showSession(copied.session);
}

/** Makes a session in the project on show, and shows it. */
async function createSession(client: Client): Promise<string | undefined> {
  const { project } = useShown.getState();
  if (project === null) return undefined;
  const created = await valueOrToast(client.call('session.create', { project }));
  if (created) showSession(created.session);
  return created?.session;
}

/** The session on show, or a new one in the project on show, into which the draft goes along. */
export async function ensureSession(client: Client): Promise<string | undefined> {
  const { session, project } = useShown.getState();
  if (session !== null) return session;
  const created = await createSession(client);
  if (created !== undefined && project !== null) {
    moveDraft(project, created);
    moveComments(project, created);
  }
  return created;
}

/** Changes how the session on show works; a new one begins with it. */
export async function configureSession(
  client: Client,
  change: Omit<InputOf<'session.configure'>, 'session'>,
): Promise<boolean> {
  const session = await ensureSession(client);
  if (session === undefined) return false;
  return (await valueOrToast(client.call('session.configure', { session, ...change }))) !== undefined;
}

/** The effort that a phase has of its own, in all sessions; undefined: none. */
export function setPhaseEffort(client: Client, phase: Phase, effort: string | undefined): void {
  changeSettings(client, (now) => ({
    ...now,
    agent: { ...now.agent, phaseEffort: withEntry(now.agent.phaseEffort, phase, effort) },
  }));
}

export function withEntry<T>(
  all: Readonly<Partial<Record<Phase, T>>>,
  phase: Phase,
  value: T | undefined,
): Readonly<Partial<Record<Phase, T>>> {
  const { [phase]: _before, ...others } = all;
  return value === undefined ? others : { ...others, [phase]: value };
}

export async function newSession(client: Client): Promise<void> {
  if ((await createSession(client)) !== undefined) focusComposer();
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
  if (text === undefined) focusComposer();
  else suggest(text);
  toast(words.talk.forked);
}

/** The files as they were before a rewind; a conversation that went opens as a copy, as its own goes on from the point. */
export async function takeRewindBack(client: Client, session: string, rewind: string, what: RewindPart): Promise<void> {
  const isBack =
    what === 'talk' || (await valueOrToast(client.call('session.rewind', { session, to: { rewind }, what: 'files' })));
  if (!isBack || what === 'files') return;
  const forked = await valueOrToast(client.call('session.fork', { session, rewind }));
  if (forked) showSession(forked.session);
}

export async function newShell(client: Client): Promise<void> {
  const session = await ensureSession(client);
  if (session === undefined) return;
  const opened = await valueOrToast(client.call('task.shell', { session, columns: 100, rows: 24 }));
  if (opened) showTask(opened.task, { focus: true });
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

/** Takes back what a session wrote of a file, by hunks or as a whole; that can be undone as well. */
export async function takeBack(
  client: Client,
  words: Words,
  session: string,
  { path, before, after }: Pick<AppliedFile, 'path' | 'before' | 'after'>,
  hunks?: InputOf<'change.takeBack'>['hunks'],
): Promise<void> {
  const done = await valueOrToast(client.call('change.takeBack', { session, path, before, after, hunks }));
  if (!done) return;
  const undo = () => void moveChangeSet(client, words, 'change.undo', session, done.changeSet);
  toast(words.review.takenBackToast(path), { id: 'taken back', action: { label: words.review.undo, onClick: undo } });
}

export async function setArchived(client: Client, words: Words, session: string, archived: boolean): Promise<void> {
  const done = await valueOrToast(client.call('session.archive', { session, archived }));
  if (!done || !archived) return;
  if (useShown.getState().session === session) showSession(null);
  toast(words.sessions.archivedToast, {
    action: {
      label: words.sessions.undo,
      onClick: () => void valueOrToast(client.call('session.archive', { session, archived: false })),
    },
  });
}
