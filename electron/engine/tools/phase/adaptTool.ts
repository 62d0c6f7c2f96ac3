import type * as z from 'zod';
import { type Failure, fail, ok, type Result } from '../../../../shared/result.ts';
import { type JsonSchema, type PreparedCall, plainSchema, type Tool } from '../frame/tool.ts';

export interface ToolView<S extends z.ZodType> {
  /** The tool that does it. */
  readonly inner: Tool;
  readonly name: string;
  readonly about: string;
  readonly input: () => S;
  readonly toInner: (input: z.output<S>) => Result<unknown>;
  readonly toOuter: (input: z.output<S>, data: unknown) => unknown;
}

/** The same tool under another name, with other arguments and another form of the answer. Plan, permission and hands are the inner one's. */
export function adaptTool<S extends z.ZodType>({
  inner,
  name,
  about,
  input: schema,
  toInner,
  toOuter,
}: ToolView<S>): Tool {
  let shown: JsonSchema | undefined;
  return {
    name,
    about,
    category: inner.category,
    permission: inner.permission,
    source: inner.source,
    inputSchema() {
      shown ??= plainSchema(schema());
      return shown;
    },
    async prepare(input, look): Promise<Result<PreparedCall>> {
      const parsed = schema().safeParse(input);
      if (!parsed.success) {
        const own = await inner.prepare(input, look);
        if (own.ok || own.error.code !== 'VALIDATION_ERROR') return own;
        const list = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
        return fail('VALIDATION_ERROR', `The arguments of ${name} do not fit: ${list}`);
      }
      const translated = toInner(parsed.data);
      if (!translated.ok) return translated;
      const prepared = await inner.prepare(translated.value, look);
      if (!prepared.ok) return { ok: false, error: inProtocolWords(prepared.error, parsed.data) };
      let answered: unknown;
      return ok({
        ...prepared.value,
        leftOut: () => prepared.value.leftOut?.(answered),
        async run(hands, verdict) {
          const result = await prepared.value.run(hands, verdict);
          answered = result.ok ? result.value : undefined;
          return result.ok
            ? ok(toOuter(parsed.data, result.value))
            : { ok: false, error: inProtocolWords(result.error, parsed.data) };
        },
      });
    },
  };
}

const protocolWords: Readonly<Record<string, string>> = {
  FILE_NOT_FOUND: 'File does not exist',
  NOT_A_FILE: 'Path is not a file',
  DIRECTORY_NOT_FOUND: 'Path does not exist',
  PATH_TRAVERSAL_DETECTED: 'Path escapes the project root',
};

/** The wordings that models which were taught the text protocol know; the hunk that did not fit, in its keys. */
function inProtocolWords(error: Failure, input: unknown): Failure {
  const words = protocolWords[error.code];
  const path = typeof input === 'object' && input !== null && 'path' in input ? String(input.path) : '';
  if (words !== undefined) return { ...error, message: `${words}: ${path}` };
  const [problem] = Array.isArray(error.details) ? (error.details as readonly Record<string, unknown>[]) : [];
  if (error.code !== 'PATCH_FAILED' || problem?.['hunk'] === undefined) return error;
  const { hunk, expected, actual } = problem;
  return { ...error, details: { hunk_index: hunk, expected, actual } };
}
