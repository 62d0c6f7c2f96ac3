import { tableOf } from './madePage.ts';

/** A command of the window that has a key. */
export interface ListedShortcut {
  readonly does: string;
  readonly keys: string;
  readonly keysOnMac: string;
}

/** A slash command, and where it is to be had. */
export interface ListedSlash {
  readonly usage: string;
  readonly about: string;
  readonly places: string;
}

/** The tables of docs/shortcuts.md: keys, then slash commands. */
export function shortcutTable(shortcuts: readonly ListedShortcut[], slashes: readonly ListedSlash[]): string {
  return [
    tableOf(
      ['does', 'keys', 'on a Mac'],
      shortcuts.map(({ does, keys, keysOnMac }) => [does, keyboard(keys), keyboard(keysOnMac)]),
    ),
    '## Slash commands',
    tableOf(
      ['command', 'does', 'in'],
      slashes.map(({ usage, about, places }) => [`\`${usage}\``, about, places]),
    ),
  ].join('\n\n');
}

/** A backtick between backticks would end them. */
const keyboard = (keys: string): string => (keys.includes('`') ? `\`\` ${keys} \`\`` : `\`${keys}\``);
