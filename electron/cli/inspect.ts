import type { ProjectParts } from '../engine/projectParts.ts';
import type { Parsed } from './flags.ts';
import { exitCodes, type Io } from './io.ts';
import type { Started } from './startEngine.ts';

interface Lent {
  /** The project, for subjects that depend on its tools; opened at the first question. */
  project(): Promise<ProjectParts>;
}

type Answer = (input: Readonly<Record<string, unknown>>, lent: Lent) => Promise<unknown>;

/** What can be asked; each loads only the room it asks. Nothing is run and nothing is changed. */
const subjects: Readonly<Record<string, Answer>> = {
  async pseudo({ command }, { project }) {
    return (await project()).bridge.parse(text(command, 'command'));
  },
  async shell({ command }) {
    const { shellMode } = await import('../engine/exec/shellMode.ts');
    const { estimateSeconds } = await import('../engine/exec/estimate.ts');
    const { inspectCommand } = await import('../engine/permission/inspectCommand.ts');
    const { protectedPath } = await import('../engine/workspace/protectedPath.ts');
    const line = text(command, 'command');
    const mode = shellMode(line);
    const judged = inspectCommand(line, { protectedPath });
    return {
      mode: mode.mode,
      ...(mode.mode === 'direct' ? { argv: mode.argv } : {}),
      ...(mode.mode === 'error' ? { error: `cli_based_tool: ${mode.message}` } : {}),
      estimate: mode.mode === 'error' ? null : estimateSeconds(line),
      ...judged,
    };
  },
  async reply({ text: reply, dialect }) {
    const { readReply } = await import('../engine/model/textProtocol/readReply.ts');
    if (dialect !== 'strict' && dialect !== 'tolerant') throw new Wrong('dialect is "strict" or "tolerant"');
    return readReply(text(reply, 'text'), dialect);
  },
  async help({ text: help, name, version }) {
    const { specFromHelp } = await import('../engine/bridge/spec/register.ts');
    const made = specFromHelp(text(help, 'text'), text(name, 'name'), text(version, 'version'));
    return made.ok ? made.value : { error: made.error };
  },
  async spec({ spec }) {
    const { validateSpec } = await import('../engine/bridge/spec/validateSpec.ts');
    const check = validateSpec(spec);
    return { ok: check.ok, errors: check.ok ? [] : check.errors, warnings: check.warnings };
  },
  async output({ stdout, output }) {
    const { parseOutput } = await import('../engine/bridge/spec/parseOutput.ts');
    if (typeof output !== 'object' || output === null || !('format' in output))
      throw new Wrong('output is an object with a format');
    const { text: parsed, structured } = parseOutput(
      text(stdout, 'stdout'),
      output as Parameters<typeof parseOutput>[1],
    );
    return { text: parsed, ...(structured ? { structured: structured.value } : {}) };
  },
  async init({ path, size }) {
    const { scoreFile } = await import('../engine/project/init/scoreFile.ts');
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 0)
      throw new Wrong('size is a whole number of bytes');
    return { score: scoreFile(text(path, 'path'), size) };
  },
  async terminal({ bytes, cols, rows }) {
    const { terminalText } = await import('../engine/exec/terminalText.ts');
    const columns = typeof cols === 'number' ? cols : 80;
    const lines = typeof rows === 'number' ? rows : 24;
    return { text: await terminalText(Buffer.from(text(bytes, 'bytes'), 'base64'), columns, lines) };
  },
};

/** `vise inspect WHAT -`: JSON lines in, one JSON line each out. A line that cannot be answered answers with an error. */
export async function runInspect(parsed: Parsed, io: Io): Promise<number> {
  const [what = '', from] = parsed.words;
  const answer = Object.hasOwn(subjects, what) ? subjects[what] : undefined;
  if (!answer || from !== '-') {
    io.err(`vise inspect: vise inspect ${Object.keys(subjects).join('|')} - (reads JSON lines from standard input)\n`);
    return exitCodes.usage;
  }
  let started: Started | undefined;
  const lent: Lent = {
    async project() {
      started ??= (await import('./startEngine.ts')).startEngine(parsed, io, false);
      const project = await started.engine.project(io.cwd);
      if (!project.ok) throw new Wrong(project.error.message);
      return project.value;
    },
  };
  let failed = false;
  try {
    for (const line of (await io.readStdin()).split('\n')) {
      if (line.trim() === '') continue;
      const answered = await answerLine(line, answer, lent);
      failed ||= 'fault' in answered;
      io.out(
        `${JSON.stringify('fault' in answered ? { error: { code: 'VALIDATION_ERROR', message: answered.fault } } : answered.value)}\n`,
      );
    }
  } finally {
    await started?.close();
  }
  return failed ? exitCodes.usage : exitCodes.done;
}

async function answerLine(
  line: string,
  answer: Answer,
  lent: Lent,
): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  let input: unknown;
  try {
    input = JSON.parse(line);
  } catch (error) {
    return { fault: `The line is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { fault: 'The line is not a JSON object.' };
  try {
    return { value: await answer({ ...input }, lent) };
  } catch (error) {
    if (error instanceof Wrong) return { fault: error.message };
    throw error;
  }
}

/** The line lacks what the subject needs. */
class Wrong extends Error {}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Wrong(`${name} is a text`);
}
