import type { MenuItemConstructorOptions as Item } from 'electron';
import type { MenuName, PageMessage } from '../../shared/contract/desktopMessage.ts';
import { words } from './desktopWords.ts';

/** What the page offers now: its commands, by menu. */
export type PageMenus = Extract<PageMessage, { readonly kind: 'menu' }>['menus'];

/** What the menu does beside the page's commands. */
export interface MenuActions {
  readonly command: (id: string) => void;
  readonly newWindow: () => void;
  readonly checkForUpdates: () => void;
  readonly installCommand: () => void;
  readonly keepCrashReports: (keep: boolean) => void;
  readonly showCrashReports: () => void;
  readonly chooseChannel: (channel: 'stable' | 'beta') => void;
}

export interface MenuState {
  readonly isMac: boolean;
  readonly crashReports: boolean;
  readonly channel: 'stable' | 'beta';
}

const separator: Item = { type: 'separator' };

/** `mod+shift+k` of the command table as Electron writes it. */
export function acceleratorOf(keys: string): string {
  const names: Readonly<Record<string, string>> = { mod: 'CmdOrCtrl', alt: 'Alt', shift: 'Shift', backquote: '`' };
  return keys
    .split('+')
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join('+');
}

/**
 * The whole menu bar: the page's commands in its own words, and around them what every app of the system has. The page
 * hears its keys itself; the menu only shows them.
 */
export function menuTemplate(
  menus: PageMenus,
  { isMac, crashReports, channel }: MenuState,
  actions: MenuActions,
): Item[] {
  const commands = (name: MenuName): Item[] =>
    (menus.find((menu) => menu.name === name)?.items ?? []).map(({ id, label, keys, enabled }) => ({
      label,
      enabled,
      ...(keys === undefined ? {} : { accelerator: acceleratorOf(keys), registerAccelerator: false }),
      click: () => actions.command(id),
    }));
  const { menu } = words();
  const labelOf = (name: MenuName): string => menus.find((one) => one.name === name)?.label ?? menu[name];
  const updates: Item[] = [
    { label: menu.checkForUpdates, click: actions.checkForUpdates },
    {
      label: menu.updateChannel,
      submenu: (['stable', 'beta'] as const).map((name) => ({
        label: menu.channels[name],
        type: 'radio',
        checked: name === channel,
        click: () => actions.chooseChannel(name),
      })),
    },
  ];
  const about: Item = { role: 'about', label: menu.about };
  const quit: Item = { role: 'quit', label: menu.quit };
  const app: Item = {
    role: 'appMenu',
    submenu: [
      about,
      ...updates,
      separator,
      { role: 'services', label: menu.services },
      separator,
      { role: 'hide', label: menu.hide },
      { role: 'hideOthers', label: menu.hideOthers },
      { role: 'unhide', label: menu.unhide },
      separator,
      quit,
    ],
  };
  return [
    ...(isMac ? [app] : []),
    {
      label: labelOf('file'),
      submenu: [
        { label: menu.newWindow, accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
        ...commands('file'),
        separator,
        { label: menu.installCommand, click: actions.installCommand },
        separator,
        isMac ? { role: 'close', label: menu.closeWindow } : quit,
      ],
    },
    { role: 'editMenu', label: menu.edit, submenu: editItems(isMac) },
    { label: labelOf('session'), submenu: commands('session') },
    {
      label: labelOf('view'),
      submenu: [
        ...commands('view'),
        separator,
        { role: 'resetZoom', label: menu.resetZoom },
        { role: 'zoomIn', label: menu.zoomIn },
        { role: 'zoomOut', label: menu.zoomOut },
        { role: 'togglefullscreen', label: menu.fullScreen },
        separator,
        { role: 'reload', label: menu.reload },
        { role: 'toggleDevTools', label: menu.developerTools },
      ],
    },
    {
      role: 'windowMenu',
      label: menu.window,
      submenu: [
        { role: 'minimize', label: menu.minimize },
        { role: 'zoom', label: menu.zoom },
        isMac ? { role: 'front', label: menu.front } : { role: 'close', label: menu.closeWindow },
      ],
    },
    {
      role: 'help',
      label: labelOf('help'),
      submenu: [
        ...commands('help'),
        separator,
        {
          label: menu.keepCrashReports,
          type: 'checkbox',
          checked: crashReports,
          click: ({ checked }) => actions.keepCrashReports(checked),
        },
        { label: menu.showCrashReports, click: actions.showCrashReports },
        ...(isMac ? [] : [separator, ...updates, about]),
      ],
    },
  ];
}

/** What every text takes. Electron's own menu would say it in English. */
function editItems(isMac: boolean): Item[] {
  const { menu } = words();
  return [
    { role: 'undo', label: menu.undo },
    { role: 'redo', label: menu.redo },
    separator,
    { role: 'cut', label: menu.cut },
    { role: 'copy', label: menu.copy },
    { role: 'paste', label: menu.paste },
    ...(isMac ? [{ role: 'pasteAndMatchStyle', label: menu.pastePlain } satisfies Item] : []),
    { role: 'delete', label: menu.delete },
    { role: 'selectAll', label: menu.selectAll },
    ...(isMac
      ? ([
          separator,
          { role: 'startSpeaking', label: menu.speak },
          { role: 'stopSpeaking', label: menu.stopSpeaking },
        ] satisfies Item[])
      : []),
  ];
}
