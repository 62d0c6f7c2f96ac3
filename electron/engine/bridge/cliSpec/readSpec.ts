import { fail, ok, type Result } from '../../../../shared/result.ts';
import { parseJson } from '../../base/boundedJson.ts';
import type { CliSpec } from './specTypes.ts';
import { type SpecIssue, validateSpec } from './validateSpec.ts';

export interface ReadSpec {
  readonly spec: CliSpec;
  readonly warnings: readonly SpecIssue[];
}

/** A spec from its text; its name must be the one that is expected. Errors: CONFIG_INVALID. */
export function readSpec(text: string, name: string): Result<ReadSpec> {
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  if (!parsed.ok) return fail('CONFIG_INVALID', `Invalid JSON: ${parsed.message}`);
  const check = validateSpec(parsed.value);
  if (!check.ok) {
    const list = check.errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    return fail('CONFIG_INVALID', `Spec validation failed: ${list.slice(0, 10).join('; ')}`, check.errors);
  }
  if (check.spec.name !== name)
    return fail(
      'CONFIG_INVALID',
      `Spec validation failed: name: Must be ${JSON.stringify(name)}, the name of its folder`,
    );
  return ok({ spec: check.spec, warnings: check.warnings });
}
