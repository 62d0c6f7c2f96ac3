import type { MenuName, PageMessage } from '../../shared/contract/desktopMessage.ts';
import type { CommandContext } from './command.ts';
import { commands } from './commands.ts';
import { keysOf } from './ownKeys.ts';

/** In which menu of a desktop each command of the table stands; the order is the table's. */
const places: Readonly<Record<MenuName, readonly string[]>> = {
  file: ['openFolder', 'sample', 'settings', 'providers', 'rules', 'specs', 'servers', 'trust'],
  session: [
    'newSession',
    'newLane',
    'bringHome',
    'closeLane',
    'stop',
    'continue',
    'undo',
    'modePhased',
    'modeDirect',
    'modeAsk',
    'editsBefore',
    'editsAfter',
    'archive',
    'newShell',
  ],
  view: [
    'palette',
    'quickOpen',
    'inbox',
    'focusComposer',
    'findTalk',
    'showReview',
    'showFiles',
    'showPlan',
    'showBrowser',
    'showGit',
    'toggleConsole',
    'toggleLeft',
    'toggleRight',
    'toggleWide',
    'layoutTalk',
    'layoutReview',
    'layoutAll',
    'themeDark',
    'themeLight',
    'themeContrast',
    'themeSystem',
  ],
  help: ['shortcuts'],
};

/** The menus of a desktop as they stand now. */
export function menusNow(context: CommandContext): Extract<PageMessage, { readonly kind: 'menu' }>['menus'] {
  const { menus } = context.words;
  return (Object.keys(places) as MenuName[]).map((name) => ({
    name,
    label: menus[name],
    items: commands
      .filter(({ id }) => places[name].includes(id))
      .map((command) => ({
        id: command.id,
        label: command.label(context.words),
        keys: keysOf(command, context.workbench.settings.shortcuts),
        enabled: command.when === undefined || command.when(context),
      })),
  }));
}
