import { fail, ok, type Result } from '../../../shared/result.ts';
import { parseOutput } from './cliSpec/parseOutput.ts';
import { scrapeHelp } from './cliSpec/scrape/scrapeHelp.ts';
import type { OutputFormat } from './cliSpec/specTypes.ts';
import { validateSpec } from './cliSpec/validateSpec.ts';

const formats: readonly string[] = ['json', 'text', 'csv', 'tsv', 'jsonl'] satisfies readonly OutputFormat[];

/** What the bridges make of one value of `vise inspect help|spec|output`. Starts nothing. Errors: VALIDATION_ERROR. */
export function inspectBridge(what: 'help' | 'spec' | 'output', value: unknown): Result<unknown> {
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}; // an object, as was checked
  switch (what) {
    case 'help': {
      const { text, name, version } = fields;
      if (typeof text !== 'string' || typeof name !== 'string')
        return fail('VALIDATION_ERROR', 'help needs {text, name, version}');
      return ok(scrapeHelp({ text, name, version: typeof version === 'string' ? version : '' }));
    }
    case 'spec': {
      const check = validateSpec(fields['spec']);
      return ok({ ok: check.ok, errors: check.ok ? [] : check.errors });
    }
    case 'output': {
      const { stdout, output } = fields;
      const declared =
        typeof output === 'object' && output !== null ? (output as Readonly<Record<string, unknown>>) : {}; // as above
      const { format, jsonPath, successPattern } = declared;
      if (typeof stdout !== 'string' || typeof format !== 'string' || !formats.includes(format))
        return fail('VALIDATION_ERROR', `output needs {stdout, output: {format: ${formats.join(' | ')}}}`);
      const { text, structured } = parseOutput(stdout, {
        format: format as OutputFormat, // one of the list, as was checked
        ...(typeof jsonPath === 'string' ? { jsonPath } : {}),
        ...(typeof successPattern === 'string' ? { successPattern } : {}),
      });
      return ok({ text, ...(structured ? { structured: structured.value } : {}) });
    }
  }
}
