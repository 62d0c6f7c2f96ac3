import type { Finding } from '../../../../shared/model/rehearsal.ts';

/** One diagnostic of a server, as it is printed and read again. */
export interface ServerLine extends Pick<Finding, 'severity' | 'message' | 'rule'> {
  /** Relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** Longer messages are cut. */
const maxMessageChars = 500;

/** `src/a.ts(3,5): error TS2322: Type …`, as compilers print it. */
export function printLine({ file, line, column, severity, rule, message }: ServerLine): string {
  const words = message.replace(/\s+/g, ' ').trim().slice(0, maxMessageChars);
  return `${file}(${line},${column}): ${severity} ${rule?.replace(/[\s:]+/g, '-') || '-'}: ${words}`;
}

const pattern = /^(.+?)\((\d+),(\d+)\): (error|warning|info) ([^\s:]+): (.*)$/;

/** What a text of such lines says; other lines are passed over. */
export function readLines(text: string): readonly ServerLine[] {
  return text.split('\n').flatMap((row) => {
    const [, file, line, column, severity, rule, message] = pattern.exec(row) ?? [];
    if (file === undefined || message === undefined) return [];
    return [
      {
        file,
        line: Number(line),
        column: Number(column),
        severity: severity as ServerLine['severity'], // as the pattern says
        rule: rule === '-' ? undefined : rule,
        message,
      },
    ];
  });
}
