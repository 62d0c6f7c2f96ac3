import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Places that git's configuration leads to; they may be missing yet. */
export interface GitConfigured {
  /** Further files of configuration. */
  readonly files: readonly string[];
  /** Folders of hooks. */
  readonly hooks: readonly string[];
}

/** More includes than people write; a file that includes itself ends here. */
const maxFiles = 50;
const maxBytes = 1_000_000;

/**
 * Where the configuration of a repository and the person's own lead: files that it includes, whatever the condition, and
 * `core.hooksPath`, which also the person's own configuration may name relative to each repository.
 */
export function gitConfigured(project: string, git: string, home: string): GitConfigured {
  const own = [join(home, '.gitconfig'), join(home, '.config/git/config')];
  const waiting = [join(git, 'config'), join(git, 'config.worktree'), ...own];
  const begun = waiting.length;
  const hooks: string[] = [];
  for (let at = 0; at < waiting.length && at < maxFiles; at += 1) {
    const file = waiting[at] ?? '';
    for (const { section, key, value } of settingsOf(file)) {
      const place = value.startsWith('~/') ? join(home, value.slice(2)) : value;
      if (/^include(?:if)?$/.test(section) && key === 'path') {
        const included = isAbsolute(place) ? place : resolve(dirname(file), place);
        if (!waiting.includes(included)) waiting.push(included);
      } else if (section === 'core' && key === 'hookspath' && place !== '') hooks.push(resolve(project, place));
    }
  }
  return { files: waiting.slice(begun), hooks };
}

interface Setting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** The settings of one file as git reads them: a first one on the section's line, quotes, escapes, comments, lines that go on. */
export function settingsOf(file: string): readonly Setting[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > maxBytes) return [];
  const found: Setting[] = [];
  let section = '';
  for (const line of readFileSync(file, 'utf8')
    .replace(/\\\r?\n/g, '')
    .split('\n')) {
    const header = /^\s*\[\s*([\w.-]+)(?![\w.-])[^\]"]*(?:"(?:[^"\\]|\\.)*"\s*)?\]/.exec(line);
    if (header) section = (header[1] ?? '').toLowerCase();
    const [, key = '', raw = ''] = /^\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line.slice(header?.[0].length ?? 0)) ?? [];
    if (key !== '') found.push({ section, key: key.toLowerCase(), value: plainValue(raw) });
  }
  return found;
}

function plainValue(raw: string): string {
  let value = '';
  for (const [, quoted, comment, one = ''] of raw.matchAll(/("(?:[^"\\]|\\.)*"?)|([#;].*)|(\\.|.)/g)) {
    if (comment !== undefined) break;
    value += (quoted?.replace(/^"|"$/g, '') ?? one).replace(/\\(["\\])/g, '$1');
  }
  return value.trim();
}
