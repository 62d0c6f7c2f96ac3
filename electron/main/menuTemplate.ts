import type { MenuItemConstructorOptions } from 'electron';
import type { MenuName, PageMessage } from '../../shared/contract/desktopMessage.ts';

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

const separator: MenuItemConstructorOptions = { type: 'separator' };

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
): MenuItemConstructorOptions[] {
  const commands = (name: MenuName): MenuItemConstructorOptions[] =>
    (menus.find((menu) => menu.name === name)?.items ?? []).map(({ id, label, keys, enabled }) => ({
      label,
      enabled,
      ...(keys === undefined ? {} : { accelerator: acceleratorOf(keys), registerAccelerator: false }),
      click: () => actions.command(id),
    }));
  const labelOf = (name: MenuName, fallback: string): string =>
    menus.find((menu) => menu.name === name)?.label ?? fallback;
  const updates: MenuItemConstructorOptions[] = [
    { label: 'Check for updates…', click: actions.checkForUpdates },
    {
      label: 'Update channel',
      submenu: (['stable', 'beta'] as const).map((name) => ({
        label: name === 'stable' ? 'Stable' : 'Beta',
        type: 'radio',
        checked: name === channel,
        click: () => actions.chooseChannel(name),
      })),
    },
  ];
  const app: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      ...updates,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
  return [
    ...(isMac ? [app] : []),
    {
      label: labelOf('file', 'File'),
      submenu: [
        { label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
        ...commands('file'),
        separator,
        { label: 'Install the “vise” command…', click: actions.installCommand },
        separator,
        { role: isMac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    { label: labelOf('session', 'Session'), submenu: commands('session') },
    {
      label: labelOf('view', 'View'),
      submenu: [
        ...commands('view'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        separator,
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      label: labelOf('help', 'Help'),
      submenu: [
        ...commands('help'),
        separator,
        {
          label: 'Keep crash reports on this computer',
          type: 'checkbox',
          checked: crashReports,
          click: ({ checked }) => actions.keepCrashReports(checked),
        },
        { label: 'Show crash reports', click: actions.showCrashReports },
        ...(isMac ? [] : [separator, ...updates, { role: 'about' } satisfies MenuItemConstructorOptions]),
      ],
    },
  ];
}
