import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { type Rule, type RuleScope, ruleMatch, ruleSchema } from '../../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { writeFileAtomic } from '../../base/atomicFile.ts';
import { describeError, errnoOf } from '../../base/log.ts';
import { ruleId } from './suggest.ts';

/**
 * Rules as they stand in a file. Unknown keys are errors: a misspelt matcher that was dropped would leave a rule that
 * allows far more than its author wrote. `id` and `scope` may be left out by hand.
 */
const fileRule = z.lazy(() => {
  const { shape } = ruleSchema.unwrap();
  return z.strictObject({
    ...shape,
    id: shape.id.optional(),
    scope: shape.scope.optional(),
    match: z
      .strictObject(ruleMatch.unwrap().shape)
      .refine((match) => Object.values(match).some((command) => command !== undefined), {
        message: 'a rule needs at least one of tool, category, command, path, host',
      }),
  });
});

const rulesFile = z.lazy(() =>
  z.union([z.strictObject({ version: z.literal(1).optional(), rules: z.array(fileRule) }), z.array(fileRule)]),
);

/** No person reads, and no engine should match, more than this. */
const maxRules = 5_000;
const maxBytes = 2_000_000;

/** A file of rules with its text, which trust is bound to; '' for a missing file. */
export interface FileOfRules {
  readonly rules: readonly Rule[];
  readonly text: string;
}

/**
 * The rules of one file; a missing file has none. CONFIG_INVALID names the file, the place in it, and what to do: also for an empty
 * file, which a full disk or a crash leaves where deny rules stood.
 */
export function readRules(path: string, scope: RuleScope): Result<FileOfRules> {
  let text: string;
  try {
    // Asked with each call, and mostly missing: a look costs a tenth of an error.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return ok({ rules: [], text: '' });
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ok({ rules: [], text: '' });
    return broken(path, 'the file', describeError(error), 'make the file readable or remove it');
  }
  if (text.length > maxBytes) return broken(path, 'the file', `it is larger than ${maxBytes} bytes`, 'remove rules');
  if (text.trim() === '') return broken(path, 'the file', 'it is empty', 'write the rules anew or remove the file');
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return broken(path, placeOf(text, error), describeError(error), 'correct the JSON or remove the file');
  }
  const list = Array.isArray(json) ? z.array(fileRule).safeParse(json) : rulesFile.safeParse(json);
  if (!list.success) {
    // A union reports all its branches; the one that fits the outer shape tells what is wrong.
    const precise = Array.isArray(json)
      ? list
      : z.strictObject({ version: z.literal(1).optional(), rules: z.array(fileRule) }).safeParse(json);
    const issue = (precise.success ? list.error : precise.error).issues[0];
    return broken(
      path,
      issuePlace(issue?.path ?? []),
      issue?.message ?? 'it does not fit',
      'correct or remove this rule',
    );
  }
  const rules = Array.isArray(list.data) ? list.data : list.data.rules;
  if (rules.length > maxRules) return broken(path, 'the file', `it has more than ${maxRules} rules`, 'remove rules');
  return ok({ rules: rules.map((rule) => withDefaults(rule, scope)), text });
}

/** Replaces the file's rules: the old or the new content after a crash, readable by the user only. */
export function writeRules(path: string, rules: readonly Rule[]): Result<void> {
  try {
    writeFileAtomic(path, `${JSON.stringify({ version: 1, rules }, null, 2)}\n`);
    return ok(undefined);
  } catch (error) {
    const code = errnoOf(error) === 'ENOSPC' ? 'DISK_FULL' : 'FILE_WRITE_ERROR';
    return fail(
      code,
      `The rule was not saved, ${path} cannot be written: ${describeError(error)}. Nothing was allowed.`,
    );
  }
}

/** The scope follows from the file: a committed file cannot claim to be the user's. */
function withDefaults(rule: z.infer<typeof fileRule>, scope: RuleScope): Rule {
  return { ...rule, id: rule.id ?? ruleId(rule, scope), scope };
}

function broken(path: string, place: string, what: string, remedy: string): Result<never> {
  return fail('CONFIG_INVALID', `The rules in ${path} cannot be read, at ${place}: ${what}. To go on, ${remedy}.`, {
    path,
    place,
  });
}

function placeOf(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(describeError(error))?.[1];
  if (position === undefined) return 'its end';
  const before = text.slice(0, Number(position)).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function issuePlace(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the outermost object';
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
}
