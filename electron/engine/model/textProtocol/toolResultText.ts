/** The outcome of one call for a model in text mode. `report` is set for the report_* tools. */
export interface CallOutcome {
  readonly tool: string;
  readonly arguments: unknown;
  readonly ok: boolean;
  readonly error?: string;
  readonly report?: string;
  readonly result: unknown;
}

const reportHints: Readonly<Record<string, string>> = {
  findings: 'move_toward_planning',
  plan: 'move_toward_patching',
  done: 'task_complete',
};

const toolHints: Readonly<Record<string, string>> = {
  list_files: 'read_relevant_files_or_report_findings',
  read_file: 'decide_between_next_read_or_phase_report',
  write_file: 'review_changes_and_continue',
  apply_diff: 'review_changes_and_continue',
};

/** What the model is told to consider next, by its report, else by the tool. */
export function nextHint({ ok, report, tool }: Pick<CallOutcome, 'ok' | 'report' | 'tool'>): string {
  const byReport = report === undefined ? undefined : reportHints[report];
  if (byReport !== undefined) return byReport;
  if (!ok) return 'inspect_error_or_report_blocked';
  return toolHints[tool] ?? 'choose_next_action';
}

/** The result message of the text protocol: a header line and JSON with sorted keys, other alphabets as they are. */
export function toolResultText(outcome: CallOutcome): string {
  const { tool, ok, error = null, report = null, result } = outcome;
  const shown = { arguments: outcome.arguments, error, next_hint: nextHint(outcome), ok, report, result, tool };
  return `--- tool call result ---\n${JSON.stringify(sorted(shown))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
