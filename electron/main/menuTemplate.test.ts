import { expect, onTestFinished, test } from 'vitest';
import { speak } from './desktopWords.ts';
import { acceleratorOf, type MenuActions, menuTemplate } from './menuTemplate.ts';

function recorded(): { readonly actions: MenuActions; readonly done: string[] } {
  const done: string[] = [];
  const note =
    (name: string) =>
    (...given: readonly unknown[]): void =>
      void done.push([name, ...given].join(' '));
  return {
    done,
    actions: {
      command: note('command'),
      newWindow: note('newWindow'),
      checkForUpdates: note('checkForUpdates'),
      installCommand: note('installCommand'),
      keepCrashReports: note('keepCrashReports'),
      showCrashReports: note('showCrashReports'),
      chooseChannel: note('chooseChannel'),
    },
  };
}

const state = { isMac: false, crashReports: false, channel: 'stable' } as const;
const menus = [
  {
    name: 'file' as const,
    label: '文件',
    items: [
      { id: 'openFolder', label: '打开文件夹', keys: 'mod+o', enabled: true },
      { id: 'trust', label: '信任', enabled: false },
    ],
  },
];

test('the menu has the commands of the page in its words, with keys that the page itself hears', () => {
  const { actions, done } = recorded();
  const [file] = menuTemplate(menus, state, actions);
  expect(file?.label).toBe('文件');
  const items = (file?.submenu ?? []) as readonly Electron.MenuItemConstructorOptions[];
  const [, open, trust] = items;
  expect(open).toMatchObject({
    label: '打开文件夹',
    enabled: true,
    accelerator: 'CmdOrCtrl+O',
    registerAccelerator: false,
  });
  expect(trust).toMatchObject({ label: '信任', enabled: false });
  open?.click?.({} as never, undefined, {});
  expect(done).toEqual(['command openFolder']);
});

test('before a page has told its commands every menu is there', () => {
  const labels = (isMac: boolean) =>
    menuTemplate([], { ...state, isMac }, recorded().actions).map(({ label, role }) => label ?? role);
  expect(labels(false)).toEqual(['File', 'Edit', 'Session', 'View', 'Window', 'Help']);
  expect(labels(true)).toEqual(['appMenu', 'File', 'Edit', 'Session', 'View', 'Window', 'Help']);
});

test.each([true, false])('in Chinese no item of the menu is left in the words of Electron (macOS: %s)', (isMac) => {
  onTestFinished(() => void speak('en', []));
  speak('zh-CN', []);
  const labels = (items: readonly Electron.MenuItemConstructorOptions[]): readonly string[] =>
    items.flatMap(({ label = '', role, type, submenu }) => [
      ...(type === 'separator' || role === 'appMenu' ? [] : [`${role ?? ''}: ${label}`]),
      ...(Array.isArray(submenu) ? labels(submenu) : []),
    ]);
  const all = labels(menuTemplate([], { ...state, isMac }, recorded().actions));
  expect({ many: all.length > 25, left: all.filter((label) => !/\p{Script=Han}/u.test(label)) }).toEqual({
    many: true,
    left: [],
  });
});

test.each([
  ['mod+k', 'CmdOrCtrl+K'],
  ['alt+1', 'Alt+1'],
  ['mod+backquote', 'CmdOrCtrl+`'],
  ['mod+shift+enter', 'CmdOrCtrl+Shift+enter'],
  ['mod+,', 'CmdOrCtrl+,'],
])('%s is shown as %s', (keys, accelerator) => expect(acceleratorOf(keys)).toBe(accelerator));
