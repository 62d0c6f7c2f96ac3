import { create } from 'zustand';

export type RightTab = 'review' | 'files' | 'plan' | 'browser';
/** The panel on show where the window is narrow. */
export type Pane = 'left' | 'talk' | 'right' | 'console';
export type SettingsSection = 'providers' | 'general' | 'shell' | 'rules' | 'specs';

export type OpenDialog =
  | {
      readonly kind: 'settings';
      readonly section: SettingsSection;
      readonly start?: 'detect' | 'add';
      /** A program to make tools of, with the section of specs. */
      readonly program?: string;
    }
  | { readonly kind: 'folder' }
  | { readonly kind: 'trust'; readonly path: string }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'link'; readonly url: string };

/** What only this window knows: what is on show. Never a fact of a session. */
export interface View {
  readonly project: string | null;
  readonly session: string | null;
  readonly right: RightTab;
  readonly pane: Pane;
  /** The right side takes the room of the conversation too. */
  readonly wide: boolean;
  readonly showLeft: boolean;
  readonly showConsole: boolean;
  readonly task: string | null;
  /** The task whose screen takes the focus when it appears: a shell the person has just opened. */
  readonly focusTask: string | null;
  readonly file: string | null;
  /** The place in the file that is to be shown; a new object each time it is asked for. */
  readonly fileAt: { readonly line: number; readonly column: number } | null;
  /** The path that the review has open. */
  readonly reviewPath: string | null;
  readonly dialog: OpenDialog | null;
  readonly palette: boolean;
  readonly inbox: boolean;
  /** Calls whose card was put off, by id. */
  readonly later: Readonly<Record<string, true>>;
  /** Paths that a drop or the tree handed to the composer and that it has not taken yet. */
  readonly mentions: readonly string[];
  /** A text offered to the composer and not taken yet. */
  readonly suggested: string | null;
  /** The person looks around without a model, until the page is loaded again. */
  readonly withoutModel: boolean;
  /** Projects in which the note about *Restricted* was put off. */
  readonly restrictedHidden: readonly string[];
  /** Questions and ended turns are told by the system while the window is not looked at. */
  readonly notify: boolean;
  /** The conversation is being searched. */
  readonly findTalk: boolean;
  /** Counts the wishes to type; the composer takes the focus when it grows. */
  readonly focusComposer: number;
}

const kept = ['project', 'session', 'task', 'right', 'showLeft', 'showConsole', 'restrictedHidden', 'notify'] as const;
const storageKey = 'vise.view';
const rightTabs: readonly unknown[] = ['review', 'files', 'plan', 'browser'] satisfies readonly RightTab[];

const isName = (value: unknown): boolean => value === null || typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const fits: Readonly<Record<(typeof kept)[number], (value: unknown) => boolean>> = {
  project: isName,
  session: isName,
  task: isName,
  right: (value) => rightTabs.includes(value),
  showLeft: isFlag,
  showConsole: isFlag,
  notify: isFlag,
  restrictedHidden: (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
};

const initial: View = {
  project: null,
  session: null,
  right: 'review',
  pane: 'talk',
  wide: false,
  showLeft: true,
  showConsole: true,
  task: null,
  focusTask: null,
  file: null,
  fileAt: null,
  reviewPath: null,
  dialog: null,
  palette: false,
  inbox: false,
  later: {},
  mentions: [],
  suggested: null,
  withoutModel: false,
  restrictedHidden: [],
  notify: false,
  findTalk: false,
  focusComposer: 0,
};

/** Reads what an earlier page kept; anything odd counts as nothing kept. */
export function restoreView(text: string | null): View {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    if (typeof found !== 'object' || found === null) return initial;
    const entries = Object.entries(found).filter(
      ([key, value]) => kept.some((name) => name === key) && fits[key as (typeof kept)[number]](value),
    );
    return { ...initial, ...Object.fromEntries(entries) };
  } catch {
    return initial;
  }
}

const storage = typeof localStorage === 'undefined' ? undefined : localStorage;

export const useView = create<View>(() => restoreView(storage?.getItem(storageKey) ?? null));

useView.subscribe((view) => {
  storage?.setItem(storageKey, JSON.stringify(Object.fromEntries(kept.map((name) => [name, view[name]]))));
});

export const setView = useView.setState;

export function showDialog(dialog: OpenDialog): void {
  setView({ dialog, palette: false, inbox: false });
}

export function closeDialog(): void {
  setView({ dialog: null });
}

export function showSession(session: string | null): void {
  setView({ session, task: null, reviewPath: null, inbox: false, findTalk: false, pane: 'talk' });
}

export function showProject(project: string | null): void {
  setView({ project, session: null, task: null, file: null, reviewPath: null });
}

export function openFile(file: string, fileAt: View['fileAt'] = null): void {
  setView({ file, fileAt, right: 'files', pane: 'right' });
}

export function showReview(reviewPath: string | null = null): void {
  setView({ right: 'review', reviewPath, pane: 'right' });
}

export function showTask(task: string): void {
  setView({ task, showConsole: true, pane: 'console' });
}

export function mention(paths: readonly string[]): void {
  setView(({ mentions, focusComposer }) => ({
    mentions: [...mentions, ...paths],
    focusComposer: focusComposer + 1,
  }));
}

/** The newest hundred folders are remembered. */
export function hideRestricted(path: string): void {
  setView(({ restrictedHidden }) => ({ restrictedHidden: [...restrictedHidden, path].slice(-100) }));
}

export function putOff(call: string, isLater: boolean): void {
  setView(({ later: { [call]: _was, ...later } }) => ({ later: isLater ? { ...later, [call]: true } : later }));
}
