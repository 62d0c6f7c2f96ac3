import { addPaths, currentDraft, writeDraft } from './drafts.ts';
import { changeLayout, type RightTab, reveal } from './layout.ts';
import { type CodeOfReply, closeOverlay, useOverlay } from './overlay.ts';
import { callPanel, type FilePlace } from './panelCalls.ts';
import { useConsoleState, useConversationState, useFilesState, useReviewState } from './panelState.ts';
import { useShown } from './shown.ts';

/** Shows a project with none of its sessions. */
export function showProject(project: string | null): void {
  changeLayout(useShown.getState().project, project);
  useShown.setState({ project, session: null });
  useConsoleState.setState({ task: null });
  useFilesState.setState({ path: null });
  useReviewState.setState({ path: null, set: null });
}

/** Shows a session of the project on show, or of another one. */
export function showSession(session: string | null, project?: string): void {
  if (project !== undefined && project !== useShown.getState().project) showProject(project);
  useShown.setState({ session });
  useConsoleState.setState({ task: null });
  useReviewState.setState({ path: null, set: null });
  useConversationState.setState({ isFinding: false });
  if (useOverlay.getState().open?.kind === 'inbox') closeOverlay();
  reveal('talk');
}

/** Shows a tab of the right side; `focus` goes there, to where one works. */
export function showTab(tab: RightTab, { focus = false } = {}): void {
  reveal('right', tab);
  if (focus) callPanel('right', (panel) => panel.focus(), tab);
}

/** Opens a file in the viewer, at a place of it where one is given. */
export function openFile(path: string, place?: FilePlace): void {
  useFilesState.setState({ path });
  showTab('files');
  if (place) callPanel('viewer', (viewer) => viewer.reveal(place), path);
}

/** Shows the review, with this file of it open; of what was written, that of the change set. */
export function showReview(path: string | null = null, set: string | null = null): void {
  useReviewState.setState({ path, set });
  showTab('review');
}

/** Shows the screen of a task; `focus` lets the person type there at once. */
export function showTask(task: string, { focus = false } = {}): void {
  useConsoleState.setState({ task });
  reveal('console');
  if (focus) callPanel('screen', (screen) => screen.focus(), task);
}

export function findInConversation(): void {
  useConversationState.setState({ isFinding: true });
  reveal('talk');
}

export function focusComposer(): void {
  reveal('talk');
  // Another project has a composer of its own, which is there a moment later.
  queueMicrotask(() => callPanel('composer', (composer) => composer.focus()));
}

/** Offers a text to be sent. */
export function suggest(text: string): void {
  writeDraft({ text });
  focusComposer();
}

/** Offers to ask for a block of code of a reply to be put into a file: `words` ask it, and end with the file. */
export function suggestCode(words: string, path: string, { text, language }: CodeOfReply): void {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const before = currentDraft().text.trimEnd();
  writeDraft({ text: before === '' ? words : `${before}\n\n${words}` });
  addPaths([path]);
  writeDraft({ text: `${currentDraft().text.trimEnd()}\n\n${fence}${language}\n${text}\n${fence}\n` });
  focusComposer();
}

/** Hands paths to the message that is being written. */
export function mention(paths: readonly string[]): void {
  addPaths(paths);
  focusComposer();
}
