import * as z from 'zod';
import type { Immutable } from '../immutable.ts';
import { findingLine, findingSchema } from './rehearsal.ts';
import type { Task } from './task.ts';

/** What a build finds, with what of this session it comes from, as far as that can be told. */
const buildFindingSchema = z.lazy(() =>
  findingSchema
    .unwrap()
    .omit({ place: true })
    .extend({
      /** The hunk of a written change set that holds the line; hunks count from 0 within what was written of the file. */
      written: z.object({ changeSet: z.string(), path: z.string(), hunk: z.number() }).optional(),
      /** Elsewhere, or without a line: the change set that was written last before it came. */
      since: z.string().optional(),
    }),
);
export type BuildFinding = Immutable<z.infer<typeof buildFindingSchema>>;

/** What the newest round of a background task that builds or tests came to. */
export const buildSchema = z.lazy(() =>
  z.object({
    task: z.string(),
    state: z.enum(['green', 'red']),
    /** When it became so, or found other errors than before. */
    at: z.string(),
    errors: z.number(),
    warnings: z.number(),
    /** Errors first, at most `maxFindings` of rehearsal.ts. */
    findings: z.array(buildFindingSchema),
  }),
);
export type Build = Immutable<z.infer<typeof buildSchema>>;

/** `1 error in src/a.ts`, or `no errors`. */
export function buildLine({ state, errors, findings }: Build): string {
  if (state === 'green') return 'no errors';
  const files = [...new Set(findings.flatMap(({ severity, file }) => (severity === 'error' ? (file ?? []) : [])))];
  const named = files.slice(0, 3).join(', ') + (files.length > 3 ? ` and ${files.length - 3} more files` : '');
  return `${errors} ${errors === 1 ? 'error' : 'errors'}${named === '' ? '' : ` in ${named}`}`;
}

/** `tsc --watch: src/a.ts:3: … (TS2322), in hunk 2 of the change set change_1`. */
export function buildFindingLine(finding: BuildFinding): string {
  const { written, since } = finding;
  const from = written
    ? `, in hunk ${written.hunk + 1} of the change set ${written.changeSet}`
    : since === undefined
      ? ''
      : `, since the change set ${since}`;
  return `${findingLine(finding)}${from}`;
}

/** Findings that a message holds. */
const maxSent = 20;

/** The message that brings a build to the agent: what it says stands apart from our own words, as what a program printed. */
export function buildMessage(
  build: Build,
  { command }: Pick<Task, 'command'>,
): {
  readonly text: string;
  readonly attachments: readonly { readonly kind: 'text'; readonly title: string; readonly text: string }[];
} {
  const text =
    build.state === 'green'
      ? `The build \`${command}\` is green again.`
      : `The build \`${command}\` is red: ${buildLine(build)}. Mend what your edits broke, and leave the rest.`;
  const told = build.findings.slice(0, maxSent).map(buildFindingLine);
  const rest = build.findings.length - told.length;
  const lines = rest > 0 ? [...told, `and ${rest} more`] : told;
  return lines.length === 0
    ? { text, attachments: [] }
    : { text, attachments: [{ kind: 'text', title: `What ${build.task} reports`, text: lines.join('\n') }] };
}
