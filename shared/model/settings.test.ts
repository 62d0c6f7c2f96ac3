import { expect, test } from 'vitest';
import { defaultSettings, settingsSchema } from './settings.ts';

test('the defaults are what the schema makes of nothing', () => {
  expect(settingsSchema.parse({})).toEqual(defaultSettings);
});
