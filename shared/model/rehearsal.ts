import * as z from 'zod';
import type { Immutable } from '../immutable.ts';

/** One command that judges the project: its type check, its linter, its tests, or one of the person's own. */
export const checkSchema = z.lazy(() =>
  z.object({
    /** `types`, `lint`, `tests`, `diagnostics`; of a command of the person's own, its first words. */
    name: z.string(),
    command: z.string(),
    /** A language server, which is asked of the changed files. */
    isServer: z.boolean().optional(),
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

/** In place of a call, of the tasks of rehearsals. */
export const rehearsalCall = 'rehearsal';

/** The words of `rehearsalLine`; the window has its own. */
export interface RehearsalWords {
  readonly checks: (count: number) => string;
  readonly green: (count: number) => string;
  readonly old: (count: number) => string;
  readonly failed: (count: number) => string;
  readonly denied: (count: number) => string;
  readonly asks: (count: number) => string;
  readonly running: (count: number) => string;
  readonly errors: (count: number, files: readonly string[]) => string;
  readonly warnings: (count: number, files: readonly string[]) => string;
}

const inFiles = (files: readonly string[]): string =>
  files.length === 0
    ? ''
    : ` in ${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more files` : ''}`;

export const rehearsalWords: RehearsalWords = {
  checks: (count) => (count === 1 ? '1 check' : `${count} checks`),
  green: (count) => `${count} green`,
  old: (count) => `${count} failing as before`,
  failed: (count) => `${count} without an end`,
  denied: (count) => `${count} forbidden by a rule`,
  asks: (count) => `${count} to be allowed`,
  running: (count) => `${count} running`,
  errors: (count, files) => `${count} new ${count === 1 ? 'error' : 'errors'}${inFiles(files)}`,
  warnings: (count, files) => `${count} new ${count === 1 ? 'warning' : 'warnings'}${inFiles(files)}`,
};

/** `3 checks: 2 green, 1 new error in src/a.ts`. */
export function rehearsalLine({ checks, findings, problem }: Rehearsal, words = rehearsalWords): string {
  if (problem !== undefined) return problem;
  const count = (...states: readonly CheckState[]): number =>
    checks.filter(({ state }) => states.includes(state)).length;
  const filesOf = (severity: Finding['severity']): readonly string[] => [
    ...new Set(findings.flatMap((finding) => (finding.severity === severity ? (finding.file ?? []) : []))),
  ];
  const errors = checks.reduce((sum, check) => sum + check.errors, 0);
  const warnings = checks.reduce((sum, check) => sum + check.warnings, 0);
  const told: readonly (readonly [number, (count: number) => string])[] = [
    [count('green'), words.green],
    [count('old'), words.old],
    [count('failed'), words.failed],
    [count('denied'), words.denied],
    [count('asks'), words.asks],
    [count('running', 'waiting'), words.running],
    [errors, (number) => words.errors(number, filesOf('error'))],
    [warnings, (number) => words.warnings(number, filesOf('warning'))],
  ];
  const parts = told.flatMap(([number, word]) => (number === 0 ? [] : [word(number)]));
  return `${words.checks(checks.length)}: ${parts.join(', ')}`;
}

/** `types: src/a.ts:12: Type 'string' is not assignable to type 'number'. (TS2322)`. */
export function findingLine({ check, file, line, message, rule }: Finding): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return `${check}: ${place}${message.split('\n', 1)[0] ?? ''}${rule === undefined ? '' : ` (${rule})`}`;
}
