import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Vise keeps what is not the project's: settings below `config`, everything it can remake or must remember below `state`. */
export interface Places {
  readonly config: string;
  readonly state: string;
  /** The user's folder of CLI specs. */
  readonly specs: string;
}

/** `VISE_HOME` puts both below one folder; else XDG on Linux, Application Support on macOS, AppData on Windows. */
export function findPlaces(
  env: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
  home: string = homedir(),
): Places {
  const given = env['VISE_HOME'];
  if (given)
    return {
      config: join(given, 'config'),
      state: join(given, 'state'),
      specs: join(given, 'config', 'cli-bridge', 'specs'),
    };
  const set = (name: string): string | undefined => env[name] || undefined;
  if (platform === 'win32') {
    const roaming = set('APPDATA') ?? join(home, 'AppData', 'Roaming');
    const local = set('LOCALAPPDATA') ?? join(home, 'AppData', 'Local');
    const specs = join(set('XDG_CONFIG_HOME') ?? roaming, 'cli-bridge', 'specs');
    return { config: join(roaming, 'vise'), state: join(local, 'vise'), specs };
  }
  const config = set('XDG_CONFIG_HOME') ?? join(home, '.config');
  const specs = join(config, 'cli-bridge', 'specs');
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'vise');
    return { config: support, state: join(support, 'state'), specs };
  }
  return {
    config: join(config, 'vise'),
    state: join(set('XDG_STATE_HOME') ?? join(home, '.local', 'state'), 'vise'),
    specs,
  };
}
