import { statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, parseSettings, type Settings } from '../../../shared/model/settings.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isRecord, readJsonFile, updateJsonFile } from '../base/jsonFile.ts';
import { describeError } from '../base/log.ts';

/** The user's `config.json`: `providers` (see `providerTemplate`), and `settings`. Keys that Vise does not know are kept. */
export interface UserConfig {
  readonly path: string;
  /** The whole file as it stands; an empty object when it is missing or broken. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  /** What is wrong with the file, in words with the remedy. */
  readonly problems: readonly string[];
  /** Reads the file again where it is another than before; false where nothing changed, or where it cannot be read now. */
  refresh(): boolean;
  update(change: (raw: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>): Result<void>;
}

/** The other groups count as they are. What was said of the sandbox and cannot be read is taken to have asked for it. */
function withoutGroups(given: unknown, groups: ReadonlySet<string>): Settings {
  if (!isRecord(given)) return defaultSettings;
  const others = Object.fromEntries(Object.entries(given).filter(([group]) => !groups.has(group)));
  const parsed = parseSettings(groups.has('sandbox') ? { ...others, sandbox: { commands: true } } : others);
  return parsed.success ? parsed.data : defaultSettings;
}

export function openUserConfig(folder: string): UserConfig {
  const path = join(folder, 'config.json');
  let problems: string[] = [];
  let broken = false;

  const read = (): Readonly<Record<string, unknown>> => {
    const file = readJsonFile(path);
    problems = [];
    broken = file.state === 'broken' || (file.state === 'read' && !isRecord(file.value));
    if (file.state === 'broken') problems.push(`${file.why}. Mend or remove it; until then the defaults are used.`);
    else if (file.state === 'read' && !isRecord(file.value))
      problems.push(`${path} must hold one JSON object. Mend or remove it; until then the defaults are used.`);
    return file.state === 'read' && isRecord(file.value) ? file.value : {};
  };
  const readSettings = (): Settings => {
    const given = raw['settings'] ?? undefined;
    if (given === undefined) return defaultSettings;
    const parsed = parseSettings(given);
    if (parsed.success) return parsed.data;
    const list = parsed.error.issues.map(({ path: at, message }) => `settings.${at.join('.')}: ${message}`).join('; ');
    const groups = new Set(parsed.error.issues.map(({ path: [group = 'all'] }) => String(group)));
    const boxed = groups.has('sandbox') ? ', and commands run in the sandbox, without network' : '';
    problems.push(
      `${path} has settings that do not fit (${list}). Mend them; until then the defaults are used for ${[...groups].join(', ')}${boxed}.`,
    );
    return withoutGroups(given, groups);
  };

  let stamp = stampOf(path);
  let raw = read();
  let settings = readSettings();
  return {
    path,
    get raw() {
      return raw;
    },
    get settings() {
      return settings;
    },
    get problems() {
      return problems;
    },
    refresh() {
      const now = stampOf(path);
      if (now === stamp) return false;
      stamp = now;
      const before = { raw, problems };
      raw = read();
      if (broken) {
        ({ raw, problems } = before);
        return false;
      }
      settings = readSettings();
      return true;
    },
    update(change) {
      try {
        // Another Vise may have written since: what is changed is what stands there now.
        const { value, keptAs } = updateJsonFile(path, change);
        raw = value;
        stamp = stampOf(path);
        problems = keptAs === undefined ? [] : [`${path} could not be read; it is kept as ${keptAs}.`];
        settings = readSettings();
        return ok(undefined);
      } catch (error) {
        return fail('CONFIG_INVALID', `The settings could not be saved in ${path}: ${describeError(error)}`);
      }
    },
  };
}

/** Changes with the file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
