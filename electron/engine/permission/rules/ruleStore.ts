import { join } from 'node:path';
import type { Rule, RuleScope } from '../../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { readRules, writeRules } from './rulesFile.ts';
import { ruleId } from './suggest.ts';

export interface RulePlaces {
  /** The project's folder; its rules stand in `.vise/rules.json` and may be committed by anybody. */
  readonly project?: string;
  /** The user's configuration folder; its rules stand in `rules.json`. */
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
  /** Reads all files anew. `trusted` says whether the content of the project's file is trusted: else only its deny and ask rules count. */
  load(trusted: boolean): LoadedRules;
  /** Adds a rule to the file of its scope. Errors: CONFIG_INVALID, FILE_WRITE_ERROR, DISK_FULL, VALIDATION_ERROR. */
  save(rule: Rule): Result<Rule>;
  /** Removes a rule by its id, wherever it stands. False when no file has it. */
  revoke(id: string): Result<boolean>;
}

/** Rules on disk. The file is read at every use: it is small, and another window may have written it. */
export function createRuleStore(places: RulePlaces): RuleStore {
  const userFile = join(places.config, 'rules.json');
  const projectFile = places.project === undefined ? undefined : join(places.project, '.vise', 'rules.json');
  const fileOf = (scope: RuleScope) => (scope === 'user' ? userFile : scope === 'project' ? projectFile : undefined);
  return {
    load(trusted) {
      const rules: Rule[] = [];
      const broken: string[] = [];
      const notices: string[] = [];
      const take = (path: string | undefined, scope: RuleScope, keep: (rule: Rule) => boolean) => {
        if (path === undefined) return 0;
        const read = readRules(path, scope);
        if (!read.ok) {
          broken.push(read.error.message);
          return 0;
        }
        const kept = read.value.filter(keep);
        rules.push(...kept);
        return read.value.length - kept.length;
      };
      const dropped = take(projectFile, 'project', (rule) => trusted || rule.effect !== 'allow');
      if (dropped > 0) {
        const these = dropped === 1 ? '1 allow rule of this folder does' : `${dropped} allow rules of this folder do`;
        notices.push(`${these} not count until the folder's rules are trusted`);
      }
      take(userFile, 'user', () => true);
      take(places.extra, 'session', () => true);
      return { rules, broken, notices };
    },
    save(rule) {
      const path = fileOf(rule.scope);
      if (path === undefined) return fail('VALIDATION_ERROR', `There is no file for rules of scope ${rule.scope}.`);
      const read = readRules(path, rule.scope);
      // A broken file is never replaced: rules that the person wrote may stand in it.
      if (!read.ok) return read;
      const saved = { ...rule, id: ruleId(rule, rule.scope) };
      const others = read.value.filter(({ id }) => id !== saved.id);
      const written = writeRules(path, [...others, saved]);
      return written.ok ? ok(saved) : written;
    },
    revoke(id) {
      for (const [path, scope] of [
        [projectFile, 'project'],
        [userFile, 'user'],
      ] as const) {
        if (path === undefined) continue;
        const read = readRules(path, scope);
        if (!read.ok) return read;
        const left = read.value.filter((rule) => rule.id !== id);
        if (left.length === read.value.length) continue;
        const written = writeRules(path, left);
        return written.ok ? ok(true) : written;
      }
      return ok(false);
    },
  };
}
