import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule, RuleScope } from '../../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { withLockSync } from '../../base/fileLock.ts';
import { describeError } from '../../base/log.ts';
import { projectMark } from '../../base/projectMark.ts';
import { readRules, writeRules } from './rulesFile.ts';
import { ruleId } from './suggest.ts';

export interface RulePlaces {
  /** The project's folder; its rules stand in `.vise/rules.json` and may be committed by anybody. */
  readonly project?: string;
  /**
   * The user's configuration folder; the user's rules stand in `rules.json`, and those for one project in a file of its own, where
   * nothing that runs in the project writes.
   */
  readonly config: string;
  /** The file of `--rules`. */
  readonly extra?: string;
}

export interface LoadedRules {
  readonly rules: readonly Rule[];
  /** Files that cannot be read, in words. While there are any, everything is asked: deny rules may be among the lost ones. */
  readonly broken: readonly string[];
  /** What the person should know, without consequence for the other rules. */
  readonly notices: readonly string[];
}

export interface RuleStore {
  /**
   * Reads all files anew. `isTrusted` is asked for the text of the project's file as it is now: without trust only its deny and ask
   * rules count (J6).
   */
  load(isTrusted: (text: string) => boolean): LoadedRules;
  /** Adds a rule to the file of its scope. Errors: CONFIG_INVALID, FILE_WRITE_ERROR, DISK_FULL, VALIDATION_ERROR. */
  save(rule: Rule): Result<Rule>;
  /** Removes a rule by its id, wherever it stands. False when no file has it. */
  revoke(id: string): Result<boolean>;
}

/** One process at a time reads and writes it, so that no rule is lost. */
function locked<T>(path: string, act: () => Result<T>): Result<T> {
  try {
    return withLockSync(`${path}.lock`, act);
  } catch (error) {
    return fail('FILE_WRITE_ERROR', `The rules in ${path} cannot be changed: ${describeError(error)}`);
  }
}

/** Rules on disk. The file is read at every use: it is small, and another window may have written it. */
export function createRuleStore(places: RulePlaces): RuleStore {
  const userFile = join(places.config, 'rules.json');
  const projectFile = places.project === undefined ? undefined : join(places.project, '.vise', 'rules.json');
  const folder = join(places.config, 'projects');
  // Named by a hash, which is not made before there is such a folder: it costs a start 4 ms.
  const ownFile = (): string | undefined =>
    places.project === undefined ? undefined : join(folder, `${projectMark(places.project)}.rules.json`);
  const files = (): readonly (readonly [string | undefined, RuleScope])[] => [
    [existsSync(folder) ? ownFile() : undefined, 'project'],
    [projectFile, 'project'],
    [userFile, 'user'],
  ];
  return {
    load(isTrusted) {
      const rules: Rule[] = [];
      const broken: string[] = [];
      const notices: string[] = [];
      for (const [path, scope] of [...files(), [places.extra, 'session'] as const]) {
        const read = path === undefined ? ok({ rules: [], text: '' }) : readRules(path, scope);
        if (!read.ok) {
          broken.push(read.error.message);
          continue;
        }
        const counts = path !== projectFile || isTrusted(read.value.text);
        const kept = read.value.rules.filter(({ effect }) => counts || effect !== 'allow');
        rules.push(...kept);
        const dropped = read.value.rules.length - kept.length;
        const these = dropped === 1 ? '1 allow rule of this folder does' : `${dropped} allow rules of this folder do`;
        if (dropped > 0) notices.push(`${these} not count until the folder's rules are trusted`);
      }
      return { rules, broken, notices };
    },
    save(rule) {
      const path = rule.scope === 'user' ? userFile : rule.scope === 'project' ? ownFile() : undefined;
      if (path === undefined) return fail('VALIDATION_ERROR', `There is no file for rules of scope ${rule.scope}.`);
      const saved = { ...rule, id: ruleId(rule, rule.scope) };
      return locked(path, () => {
        const read = readRules(path, rule.scope);
        // A broken file is never replaced: rules that the person wrote may stand in it.
        if (!read.ok) return read;
        const others = read.value.rules.filter(({ id }) => id !== saved.id);
        const written = writeRules(path, [...others, saved]);
        return written.ok ? ok(saved) : written;
      });
    },
    revoke(id) {
      for (const [path, scope] of files()) {
        if (path === undefined) continue;
        const isThere = readRules(path, scope);
        if (!isThere.ok) return isThere;
        if (isThere.value.rules.every((rule) => rule.id !== id)) continue;
        return locked(path, () => {
          const read = readRules(path, scope);
          if (!read.ok) return read;
          const written = writeRules(
            path,
            read.value.rules.filter((rule) => rule.id !== id),
          );
          return written.ok ? ok(true) : written;
        });
      }
      return ok(false);
    },
  };
}
