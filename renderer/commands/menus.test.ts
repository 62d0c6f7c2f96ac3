import { expect, test } from 'vitest';
import { pageMessage } from '../../shared/contract/desktopMessage.ts';
import { emptySession } from '../../shared/model/sessionState.ts';
import { defaultSettings } from '../../shared/model/settings.ts';
import { en } from '../words/en.ts';
import { commands } from './commands.ts';
import { menusNow } from './menus.ts';

test('every command stands in one menu of a desktop, and the whole fits its contract', () => {
  const settings = { ...defaultSettings, shortcuts: { newSession: 'mod+shift+y' } };
  const context = { client: {}, words: en, project: null, session: emptySession, workbench: { settings } };
  const menus = menusNow(context as never);
  const missing = 'a command has its menu among the places of menus.ts';
  expect(menus.flatMap(({ items }) => items.map(({ id }) => id)).toSorted(), missing).toEqual(
    commands.map(({ id }) => id).toSorted(),
  );
  expect(pageMessage.safeParse({ kind: 'menu', menus }).success).toBe(true);
  expect(menus[1]?.items[0]).toMatchObject({ id: 'newSession', keys: 'mod+shift+y', enabled: false });
});
