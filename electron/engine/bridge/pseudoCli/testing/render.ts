import { fail, ok, type Result } from '../../../../../shared/result.ts';

const flagName = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/**
 * The command that parses back to these parameters: strings quoted, objects and arrays as JSON. `undefined` is left
 * out. Errors: VALIDATION_ERROR for what the format cannot say (other flag names, a bare null, numbers that are not finite).
 */
export function render(module: string, action: string, params: Readonly<Record<string, unknown>>): Result<string> {
  const words = ['codebolt', module, action];
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (!flagName.test(key)) return fail('VALIDATION_ERROR', `${JSON.stringify(key)} cannot be a flag name`);
    const text = renderValue(value);
    if (text === undefined) return fail('VALIDATION_ERROR', `The value of --${key} cannot be written as a flag value`);
    words.push(`--${key}=${text}`); // with `=` a name that begins with no- is not taken for a negation
  }
  return ok(words.join(' '));
}

function renderValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return `"${value.replaceAll(/[\\"]/g, '\\$&')}"`;
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isFinite(value) ? plainDecimal(value) : undefined;
    case 'object':
      return value === null ? undefined : JSON.stringify(value);
    default:
      return undefined;
  }
}

/** The shortest digits of a number without an exponent, which the format does not know. */
function plainDecimal(value: number): string {
  const [mantissa = '0', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
