import type { Settings } from '../../shared/model/settings.ts';
import { keysInShell } from '../parts/keys.ts';
import { useWorkbench } from '../view/useSession.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';

type Own = Settings['shortcuts'];

/** The keys of a command: the person's own, else the usual; undefined: none. */
export function keysOf({ id, keys }: Command, own: Own): string | undefined {
  return (own[id] ?? keys) || undefined;
}

export function useCommandKeys(id: string): string | undefined {
  return useWorkbench(({ settings }) => {
    const command = commands.find((one) => one.id === id);
    return command && keysOf(command, settings.shortcuts);
  });
}

/** Taken by text fields, the review and browsers, whatever has the focus. */
const takenElsewhere = ['enter', 'a', 'c', 'v', 'x', 'z', 'n', 't', 'w', 'shift+n', 'shift+t', 'shift+z'].map(
  (keys) => `mod+${keys}`,
);

/** Why a command cannot have these keys: another one has them, also from inside a shell; or `elsewhere`. */
export function keysTakenBy(keys: string, id: string, own: Own, mac: boolean): Command | 'elsewhere' | undefined {
  if (takenElsewhere.includes(keys)) return 'elsewhere';
  const reach = (one: string): readonly string[] => [one, keysInShell(one, mac)];
  return commands.find((other) => {
    const its = keysOf(other, own);
    return other.id !== id && its !== undefined && reach(its).some((one) => reach(keys).includes(one));
  });
}

/** The person's keys with those of one command; the usual ones need no entry. */
export function withKeys(own: Own, { id, keys: usual = '' }: Command, keys: string): Own {
  const { [id]: _before, ...others } = own;
  return keys === usual ? others : { ...others, [id]: keys };
}
