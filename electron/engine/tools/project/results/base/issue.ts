import { plainText } from '../../../../exec/plainText.ts';

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** What a linter, type checker or compiler found at a place. */
export interface Issue {
  readonly severity: Severity;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The rule or number that the linter names. */
  readonly rule?: string;
}

const maxMessage = 300;

export interface Found {
  readonly severity: string | undefined;
  readonly message: string | undefined;
  readonly file?: string | undefined;
  readonly line?: string | number | undefined;
  readonly column?: string | number | undefined;
  readonly rule?: string | null | undefined;
}

export function issueOf({ severity, message = '', file, line, column, rule }: Found): Issue {
  return {
    severity: severityOf(severity),
    message: plainText(message).trim().slice(0, maxMessage),
    ...(file ? { file: file.replace(/^(?:file:\/\/|\.\/)/, '') } : {}),
    ...(Number(line) > 0 ? { line: Number(line) } : {}),
    ...(Number(column) > 0 ? { column: Number(column) } : {}),
    ...(rule ? { rule } : {}),
  };
}

const warnings = /^(?:warn|w$|c$|r$|refactor|convention|⚠|!|1$)/i;
const infos = /^(?:info|note|hint|help|style|suggestion|advice|i$|ℹ)/i;

/** Words, letters and signs of the linters; what has none is an error. */
function severityOf(word = ''): Severity {
  return warnings.test(word) ? 'warning' : infos.test(word) ? 'info' : 'error';
}
