import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** One command that judges the project: its type check, its linter, its tests, or one of the person's own. */
export const checkSchema = z.lazy(() =>
  z.object({
    /** `types`, `lint`, `tests`; of a command of the person's own, its first words. */
    name: z.string(),
    command: z.string(),
  }),
);
export type Check = Immutable<z.infer<typeof checkSchema>>;

/** What a check finds with the proposal and does not find without it. */
export const findingSchema = z.lazy(() =>
  z.object({
    check: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    message: z.string(),
    /** Relative to the project, where the check names one. */
    file: z.string().optional(),
    /** 1-based, in the proposed content. */
    line: z.number().optional(),
    rule: z.string().optional(),
    /** The hunk that wrote the line. */
    place: z.object({ call: z.string(), path: z.string(), hunk: z.number() }).optional(),
  }),
);
export type Finding = Immutable<z.infer<typeof findingSchema>>;

/**
 * `asks`: waits for the person's word; `denied`: a rule forbids it; `green`: nothing new, and the check passes; `old`: nothing
 * new, it fails without the proposal as well; `red`: new errors; `failed`: it came to no end or could not be run (`why`).
 */
const checkStateSchema = z.lazy(() =>
  z.enum(['asks', 'denied', 'waiting', 'running', 'green', 'old', 'red', 'failed']),
);
export type CheckState = z.infer<typeof checkStateSchema>;

export const triedCheckSchema = z.lazy(() =>
  checkSchema.unwrap().extend({
    state: checkStateSchema,
    why: z.string().optional(),
    /** New ones, as far as they are known. */
    errors: z.number(),
    warnings: z.number(),
  }),
);
export type TriedCheck = Immutable<z.infer<typeof triedCheckSchema>>;

/** What became of the waiting proposals when they were tried on a copy of the project. */
export const rehearsalSchema = z.lazy(() =>
  z.object({
    state: z.enum(['asks', 'running', 'done']),
    checks: z.array(triedCheckSchema),
    /** The new ones, errors first, at most `maxFindings`. */
    findings: z.array(findingSchema),
    /** Why nothing could be tried, in words. */
    problem: z.string().optional(),
  }),
);
export type Rehearsal = Immutable<z.infer<typeof rehearsalSchema>>;

export const maxFindings = 200;

/** `3 checks: 2 green, 1 new error in src/a.ts`. */
export function rehearsalLine({
  checks,
  findings,
  problem,
}: Pick<Rehearsal, 'checks' | 'findings' | 'problem'>): string {
  if (problem !== undefined) return problem;
  const count = (state: CheckState): number => checks.filter((check) => check.state === state).length;
  const told: readonly (readonly [number, string])[] = [
    [count('green'), 'green'],
    [count('old'), 'failing as before'],
    [count('failed'), 'without an end'],
    [count('denied'), 'forbidden by a rule'],
    [count('asks'), 'to be allowed'],
    [count('running') + count('waiting'), 'running'],
  ];
  const parts = told.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`]));
  for (const [severity, key] of [
    ['error', 'errors'],
    ['warning', 'warnings'],
  ] as const) {
    const number = checks.reduce((sum, check) => sum + check[key], 0);
    if (number === 0) continue;
    const where = filesWords(findings.filter((finding) => finding.severity === severity));
    parts.push(`${number} new ${severity}${number === 1 ? '' : 's'}${where}`);
  }
  return `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}: ${parts.join(', ')}`;
}

function filesWords(findings: readonly Finding[]): string {
  const files = [...new Set(findings.flatMap(({ file }) => file ?? []))];
  if (files.length === 0) return '';
  return ` in ${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more files` : ''}`;
}

/** `types: src/a.ts:12: Type 'string' is not assignable to type 'number'. (TS2322)`. */
export function findingLine({ check, file, line, message, rule }: Finding): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return `${check}: ${place}${message.split('\n', 1)[0] ?? ''}${rule === undefined ? '' : ` (${rule})`}`;
}
