import type { Mode } from '../../shared/model/phase.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { valueOrToast } from '../client/client.ts';
import { homeOfProject } from '../mirror/laneHomes.ts';
import { undoable } from '../mirror/selectors.ts';
import { arrange, toggleRight, toggleSide, toggleWide } from '../view/layout.ts';
import { openOverlay } from '../view/overlay.ts';
import { findInConversation, focusComposer, showTab } from '../view/show.ts';
import { showsRight } from '../view/useShowsRight.ts';
import {
  changeSettings,
  chooseProject,
  configureSession,
  moveChangeSet,
  newSession,
  newShell,
  openSample,
  setArchived,
} from './actions.ts';
import type { Command, CommandContext } from './command.ts';
import { bringHome } from './laneActions.ts';

const hasProject = ({ project }: CommandContext): boolean => project !== null;
const hasSession = ({ session }: CommandContext): boolean => session.id !== '';

/** The console and the editors have a search of their own. */
const searchesItself = (): boolean =>
  typeof document !== 'undefined' && document.activeElement?.closest('[data-own-search], .monaco-editor') !== null;

const setMode =
  (mode: Mode): Command['run'] =>
  ({ client, session }) =>
    void valueOrToast(client.call('session.configure', { session: session.id, mode }));

const setTheme =
  (theme: Settings['theme']): Command['run'] =>
  ({ client }) =>
    changeSettings(client, (settings) => ({ ...settings, theme }));

/** Everything that can be done by a key or from the palette, in the order the palette shows. */
export const commands: readonly Command[] = [
  {
    id: 'newSession',
    label: (w) => w.commands.newSession,
    keys: 'alt+n',
    when: hasProject,
    run: ({ client }) => void newSession(client),
  },
  {
    id: 'newLane',
    label: (w) => w.lanes.open,
    when: hasProject,
    run: ({ project, workbench }) => {
      if (project !== null) openOverlay({ kind: 'newLane', home: homeOfProject(workbench.sessions, project) });
    },
  },
  {
    id: 'bringHome',
    label: (w) => w.lanes.bringHome,
    when: ({ session }) => session.lane !== undefined && !session.archived,
    run: ({ client, words, session: { lane } }) => {
      if (lane) void bringHome(client, words, lane);
    },
  },
  {
    id: 'closeLane',
    label: (w) => w.lanes.closeOpen,
    when: ({ session }) => session.lane !== undefined && !session.archived,
    run: ({ session: { lane } }) => {
      if (lane) openOverlay({ kind: 'closeLane', home: lane.home, name: lane.name, kept: 0 });
    },
  },
  {
    id: 'stop',
    label: (w) => w.commands.stop,
    keys: 'mod+.',
    when: ({ session }) => session.turn !== null,
    run: ({ client, session }) => void valueOrToast(client.call('session.stop', { session: session.id })),
  },
  {
    id: 'continue',
    label: (w) => w.commands.carryOn,
    when: ({ session }) => session.interrupted !== null && session.turn === null,
    run: ({ client, session }) => void valueOrToast(client.call('session.continue', { session: session.id })),
  },
  {
    id: 'undo',
    label: (w) => w.commands.undo,
    keys: 'alt+z',
    when: ({ session }) => undoable(session) !== undefined,
    run: ({ client, words, session }) => {
      const set = undoable(session);
      if (set) void moveChangeSet(client, words, 'change.undo', session.id, set.id);
    },
  },
  {
    id: 'focusComposer',
    label: (w) => w.commands.focusComposer,
    keys: 'mod+i',
    when: hasProject,
    run: focusComposer,
  },
  {
    id: 'findTalk',
    label: (w) => w.talk.find,
    keys: 'mod+f',
    when: (context) => hasSession(context) && !searchesItself(),
    run: findInConversation,
  },
  {
    id: 'showReview',
    label: (w) => w.commands.showReview,
    keys: 'alt+1',
    run: () => showTab('review', { focus: true }),
  },
  { id: 'showFiles', label: (w) => w.commands.showFiles, keys: 'alt+2', run: () => showTab('files', { focus: true }) },
  { id: 'showPlan', label: (w) => w.commands.showPlan, keys: 'alt+3', run: () => showTab('plan', { focus: true }) },
  {
    id: 'showBrowser',
    label: (w) => w.commands.showBrowser,
    keys: 'alt+4',
    run: () => showTab('browser', { focus: true }),
  },
  { id: 'showGit', label: (w) => w.commands.showGit, keys: 'alt+5', run: () => showTab('git', { focus: true }) },
  {
    id: 'toggleConsole',
    label: (w) => w.commands.toggleConsole,
    keys: 'mod+backquote',
    run: () => toggleSide('console'),
  },
  {
    id: 'toggleLeft',
    label: (w) => w.commands.toggleLeft,
    keys: 'mod+b',
    run: () => toggleSide('left'),
  },
  {
    id: 'toggleRight',
    label: (w) => w.commands.toggleRight,
    keys: 'alt+r',
    when: hasProject,
    run: ({ session }) => toggleRight(showsRight(session)),
  },
  {
    id: 'toggleWide',
    label: (w) => w.commands.toggleWide,
    keys: 'alt+w',
    when: hasProject,
    run: toggleWide,
  },
  { id: 'layoutTalk', label: (w) => w.commands.layoutTalk, when: hasProject, run: () => arrange('talk') },
  { id: 'layoutReview', label: (w) => w.commands.layoutReview, when: hasProject, run: () => arrange('review') },
  { id: 'layoutAll', label: (w) => w.commands.layoutAll, when: hasProject, run: () => arrange('all') },
  { id: 'inbox', label: (w) => w.commands.inbox, keys: 'alt+i', run: () => openOverlay({ kind: 'inbox' }) },
  {
    id: 'newShell',
    label: (w) => w.commands.newShell,
    keys: 'alt+t',
    when: hasProject,
    run: ({ client }) => void newShell(client),
  },
  {
    id: 'openFolder',
    label: (w) => w.commands.openFolder,
    keys: 'mod+o',
    run: ({ client }) => void chooseProject(client),
  },
  { id: 'sample', label: (w) => w.commands.sample, run: ({ client }) => void openSample(client) },
  {
    id: 'settings',
    label: (w) => w.commands.settings,
    keys: 'mod+,',
    run: () => openOverlay({ kind: 'settings', section: 'general' }),
  },
  {
    id: 'providers',
    label: (w) => w.commands.providers,
    run: () => openOverlay({ kind: 'settings', section: 'providers' }),
  },
  {
    id: 'rules',
    label: (w) => w.commands.rules,
    run: () => openOverlay({ kind: 'settings', section: 'rules' }),
  },
  {
    id: 'specs',
    label: (w) => w.settings.specs,
    run: () => openOverlay({ kind: 'settings', section: 'specs' }),
  },
  {
    id: 'servers',
    label: (w) => w.settings.servers,
    run: () => openOverlay({ kind: 'settings', section: 'servers' }),
  },
  {
    id: 'trust',
    label: (w) => w.commands.trust,
    when: hasProject,
    run: ({ project }) => {
      if (project !== null) openOverlay({ kind: 'trust', path: project });
    },
  },
  { id: 'modePhased', label: (w) => w.commands.modePhased, when: hasSession, run: setMode('phased') },
  { id: 'modeDirect', label: (w) => w.commands.modeDirect, when: hasSession, run: setMode('direct') },
  { id: 'modeAsk', label: (w) => w.commands.modeAsk, when: hasSession, run: setMode('ask') },
  {
    id: 'editsBefore',
    label: (w) => `${w.review.title}: ${w.composer.edits.before}`,
    when: ({ session }) => session.appliesEdits,
    run: ({ client }) => void configureSession(client, { appliesEdits: false }),
  },
  {
    id: 'editsAfter',
    label: (w) => `${w.review.title}: ${w.composer.edits.after}`,
    when: (context) => hasSession(context) && !context.session.appliesEdits,
    run: ({ client }) => void configureSession(client, { appliesEdits: true }),
  },
  {
    id: 'archive',
    label: (w) => w.commands.archive,
    when: hasSession,
    run: ({ client, words, session }) => void setArchived(client, words, session.id, true),
  },
  { id: 'themeDark', label: (w) => w.commands.themeDark, run: setTheme('dark') },
  { id: 'themeLight', label: (w) => w.commands.themeLight, run: setTheme('light') },
  { id: 'themeContrast', label: (w) => w.commands.themeContrast, run: setTheme('contrast') },
  { id: 'themeSystem', label: (w) => w.commands.themeSystem, run: setTheme('system') },
  {
    id: 'palette',
    label: (w) => w.commands.palette,
    keys: 'mod+k',
    run: () => openOverlay({ kind: 'palette' }),
  },
  {
    id: 'quickOpen',
    label: (w) => w.commands.quickOpen,
    keys: 'mod+p',
    when: hasProject,
    run: () => openOverlay({ kind: 'palette', files: true }),
  },
  {
    id: 'shortcuts',
    label: (w) => w.commands.shortcuts,
    keys: 'mod+/',
    run: () => openOverlay({ kind: 'shortcuts' }),
  },
];
