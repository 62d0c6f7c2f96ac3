import * as z from 'zod';
import { type Issue, issueOf } from '../base/issue.ts';

// Each made at its first use: a start pays for none of them.

const number = () => z.number().nullish();
const text = () => z.string().nullish();

/** A list of such objects that is not empty. */
const rows = <S extends z.ZodRawShape>(item: () => S) => z.lazy(() => z.array(z.object(item())).nonempty());

const eslint = rows(() => ({
  filePath: z.string(),
  messages: z.array(
    z.object({ ruleId: text(), severity: z.number(), message: z.string(), line: number(), column: number() }),
  ),
}));
const stylelint = rows(() => ({
  source: z.string(),
  warnings: z.array(
    z.object({ line: number(), column: number(), rule: text(), severity: z.string(), text: z.string() }),
  ),
}));
const ruff = rows(() => ({
  code: text(),
  filename: z.string(),
  message: z.string(),
  location: z.object({ row: z.number(), column: z.number() }),
}));
const pylint = rows(() => ({
  type: z.string(),
  path: z.string(),
  line: number(),
  column: number(),
  message: z.string(),
  symbol: text(),
}));
const shellcheck = rows(() => ({
  file: z.string(),
  line: number(),
  column: number(),
  level: z.string(),
  code: z.number(),
  message: z.string(),
}));
const pyright = z.lazy(() =>
  z.object({
    generalDiagnostics: z.array(
      z.object({
        file: z.string(),
        severity: z.string(),
        message: z.string(),
        rule: text(),
        range: z.object({ start: z.object({ line: z.number(), character: z.number() }) }).optional(),
      }),
    ),
  }),
);
const golangci = z.lazy(() =>
  z.object({
    Issues: z
      .array(
        z.object({
          FromLinter: z.string(),
          Text: z.string(),
          Severity: text(),
          Pos: z.object({ Filename: z.string(), Line: z.number(), Column: number() }),
        }),
      )
      .nullable(),
  }),
);
const rubocop = z.lazy(() =>
  z.object({
    files: z.array(
      z.object({
        path: z.string(),
        offenses: z.array(
          z.object({
            severity: z.string(),
            message: z.string(),
            cop_name: z.string(),
            location: z.object({ line: number(), column: number() }),
          }),
        ),
      }),
    ),
  }),
);
const phpstan = z.lazy(() =>
  z.object({
    totals: z.object({ file_errors: z.number() }),
    files: z.union([
      z.record(
        z.string(),
        z.object({ messages: z.array(z.object({ message: z.string(), line: number(), identifier: text() })) }),
      ),
      z.tuple([]),
    ]),
  }),
);
const oxlint = z.lazy(() =>
  z.object({
    diagnostics: z.array(
      z.object({
        message: z.string(),
        code: text(),
        severity: z.string(),
        filename: z.string(),
        labels: z.array(z.object({ span: z.object({ line: number(), column: number() }) })).default([]),
      }),
    ),
  }),
);
const sarif = z.lazy(() =>
  z.object({
    runs: z.array(
      z.object({
        results: z.array(
          z.object({
            ruleId: text(),
            level: z.string().default('warning'),
            message: z.object({ text: z.string().default('') }),
            locations: z
              .array(
                z.object({
                  physicalLocation: z.object({
                    artifactLocation: z.object({ uri: z.string().optional() }),
                    region: z.object({ startLine: number(), startColumn: number() }).optional(),
                  }),
                }),
              )
              .default([]),
          }),
        ),
      }),
    ),
  }),
);

/** A shape, and the issues of a value that has it. */
function shape<S extends z.ZodType>(schema: S, issues: (value: z.output<S>) => readonly Issue[]) {
  return (value: unknown): readonly Issue[] | undefined => {
    const parsed = schema.safeParse(value);
    return parsed.success ? issues(parsed.data) : undefined;
  };
}

const plus = (zeroBased: number | null | undefined): number | undefined =>
  zeroBased === null || zeroBased === undefined ? undefined : zeroBased + 1;

/** The surest first: what has keys of its own. An empty list is nobody's. */
export const jsonShapes: readonly ((value: unknown) => readonly Issue[] | undefined)[] = [
  shape(eslint, (files) =>
    files.flatMap(({ filePath: file, messages }) =>
      messages.map(({ ruleId, severity, message, line, column }) =>
        issueOf({
          severity: severity === 1 ? 'warning' : 'error',
          message,
          file,
          line: line ?? undefined,
          column: column ?? undefined,
          rule: ruleId,
        }),
      ),
    ),
  ),
  shape(stylelint, (files) =>
    files.flatMap(({ source: file, warnings }) =>
      warnings.map(({ line, column, rule, severity, text: message }) =>
        issueOf({ severity, message, file, line: line ?? undefined, column: column ?? undefined, rule }),
      ),
    ),
  ),
  shape(ruff, (all) =>
    all.map(({ code, filename, message, location }) =>
      issueOf({ severity: 'error', message, file: filename, line: location.row, column: location.column, rule: code }),
    ),
  ),
  shape(pylint, (all) =>
    all.map(({ type, path, line, column, message, symbol }) =>
      issueOf({ severity: type, message, file: path, line: line ?? undefined, column: plus(column), rule: symbol }),
    ),
  ),
  shape(shellcheck, (all) =>
    all.map(({ file, line, column, level, code, message }) =>
      issueOf({
        severity: level,
        message,
        file,
        line: line ?? undefined,
        column: column ?? undefined,
        rule: `SC${code}`,
      }),
    ),
  ),
  shape(pyright, ({ generalDiagnostics }) =>
    generalDiagnostics.map(({ file, severity, message, rule, range }) =>
      issueOf({ severity, message, file, line: plus(range?.start.line), column: plus(range?.start.character), rule }),
    ),
  ),
  shape(golangci, ({ Issues }) =>
    (Issues ?? []).map(({ FromLinter, Text, Severity, Pos }) =>
      issueOf({
        severity: Severity ?? '',
        message: Text,
        file: Pos.Filename,
        line: Pos.Line,
        column: Pos.Column ?? undefined,
        rule: FromLinter,
      }),
    ),
  ),
  shape(rubocop, ({ files }) =>
    files.flatMap(({ path: file, offenses }) =>
      offenses.map(({ severity, message, cop_name: rule, location }) =>
        issueOf({
          severity,
          message,
          file,
          line: location.line ?? undefined,
          column: location.column ?? undefined,
          rule,
        }),
      ),
    ),
  ),
  shape(phpstan, ({ files }) =>
    Object.entries(files).flatMap(([file, { messages }]) =>
      messages.map(({ message, line, identifier }) =>
        issueOf({ severity: 'error', message, file, line: line ?? undefined, rule: identifier }),
      ),
    ),
  ),
  shape(oxlint, ({ diagnostics }) =>
    diagnostics.map(({ message, code, severity, filename, labels }) =>
      issueOf({
        severity,
        message,
        file: filename,
        line: labels[0]?.span.line ?? undefined,
        column: labels[0]?.span.column ?? undefined,
        rule: code,
      }),
    ),
  ),
  shape(sarif, ({ runs }) =>
    runs.flatMap(({ results }) =>
      results.map(({ ruleId, level, message, locations }) => {
        const place = locations[0]?.physicalLocation;
        return issueOf({
          severity: level,
          message: message.text,
          file: place?.artifactLocation.uri,
          line: place?.region?.startLine ?? undefined,
          column: place?.region?.startColumn ?? undefined,
          rule: ruleId,
        });
      }),
    ),
  ),
];

const compilerMessage = z.lazy(() =>
  z.object({
    reason: z.literal('compiler-message'),
    message: z.object({
      level: z.string(),
      message: z.string(),
      code: z.object({ code: z.string() }).nullish(),
      spans: z.array(
        z.object({ file_name: z.string(), line_start: z.number(), column_start: z.number(), is_primary: z.boolean() }),
      ),
    }),
  }),
);

/** A line of `cargo --message-format json`. */
export function rustIssue(value: unknown): Issue | undefined {
  const read = compilerMessage.safeParse(value).data?.message;
  const span = read?.spans.find(({ is_primary: isPrimary }) => isPrimary);
  // Without a place it only sums up what came before.
  if (!read || !span) return undefined;
  const { file_name: file, line_start: line, column_start: column } = span;
  return issueOf({ severity: read.level, message: read.message, file, line, column, rule: read.code?.code });
}
