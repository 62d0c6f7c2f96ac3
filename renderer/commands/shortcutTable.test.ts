import { expect, test } from 'vitest';
import { madePage, stalePage } from '../../.setup/madePage.ts';
import { type ListedShortcut, type ListedSlash, shortcutTable } from '../../.setup/shortcutTable.ts';
import { slashCommands, slashCommandsIn, usageOf } from '../../shared/text/slashCommands.ts';
import { keysText } from '../parts/keys.ts';
import { en } from '../words/en.ts';
import { commands } from './commands.ts';

const shortcuts: readonly ListedShortcut[] = commands.flatMap(({ label, keys }) =>
  keys === undefined ? [] : [{ does: label(en), keys: keysText(keys, false), keysOnMac: keysText(keys, true) }],
);

const places = ['window', 'terminal'] as const;
const slashes: readonly ListedSlash[] = slashCommands.map((command) => ({
  usage: usageOf(command),
  about: command.about,
  places: places.filter((place) => slashCommandsIn(place).some(({ name }) => name === command.name)).join(', '),
}));

// VISE_UPDATE_DOCS=1 npx vitest run Table.test     writes the tables of all pages anew
test('docs/shortcuts.md tells each key and each slash command as it is', () => {
  const { written, fresh } = madePage('shortcuts.md', '.setup/shortcutTable.ts', shortcutTable(shortcuts, slashes));
  expect(written, stalePage).toBe(fresh);
});
