import { expect, test } from 'vitest';
import { settingsSchema } from '../../../shared/model/settings.ts';
import { browserEnvironment, findBrowser } from './findBrowser.ts';

const found = (env: Record<string, string>, browser: object) =>
  findBrowser(browserEnvironment(env, settingsSchema.parse({ browser }).browser), 'linux');
const own = { kind: 'program', path: process.execPath };
const running = { kind: 'running', address: 'http://127.0.0.1:9222' };

test('the settings name a program or a browser that runs; the environment wins', () => {
  expect(found({ PATH: '' }, {})).toEqual({ kind: 'none' });
  expect(found({ PATH: '' }, { program: process.execPath })).toEqual(own);
  expect(found({ PATH: '' }, { program: '/no/chrome' })).toEqual({ kind: 'none' });
  expect(found({ PATH: '' }, { address: running.address })).toEqual(running);
  expect(found({ VISE_CHROMIUM: process.execPath }, { program: '/no/chrome', address: running.address })).toEqual(own);
  expect(found({ VISE_BROWSER_URL: running.address }, { address: 'http://127.0.0.1:1' })).toEqual(running);
});

test.each(['file:///x', 'javascript:1', 'nonsense'])('%s is no address of a browser', (address) => {
  expect(settingsSchema.safeParse({ browser: { address } }).success).toBe(false);
});
