import type { Failure } from '../../shared/result.ts';
import { describeError } from '../engine/base/log.ts';
import type { OpenedProject } from '../engine/openProject/openedProject.ts';
import { quoteWord } from '../engine/shell/quoteWord.ts';
import type { InputLine } from './base/inputLines.ts';
import { exitCodes, type Io } from './base/io.ts';
import type { Parsed } from './base/parseFlags.ts';
import { sayWaiting } from './base/pipedInput.ts';
import type { Started } from './base/startEngine.ts';

interface Provided {
  /** The project, for subjects that depend on its tools; opened at the first question. */
  project(): Promise<OpenedProject>;
}

type Answer = (input: Readonly<Record<string, unknown>>, provided: Provided) => Promise<unknown>;

/** What can be asked; each loads only the room it asks. Nothing is run and nothing is changed. */
const subjects: Readonly<Record<string, Answer>> = {
  async pseudo({ command }, { project }) {
    return (await project()).bridge.parse(text(command, 'command'));
  },
  async shell({ command }) {
    const { shellMode } = await import('../engine/shell/shellMode.ts');
    const { estimateSeconds } = await import('../engine/shell/estimate.ts');
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
    const { specFromHelp } = await import('../engine/bridge/cliSpec/scrape/register.ts');
    const made = specFromHelp(text(help, 'text'), text(name, 'name'), text(version, 'version'));
    return made.ok ? made.value : { error: made.error };
  },
  async spec({ spec }) {
    const { validateSpec } = await import('../engine/bridge/cliSpec/validateSpec.ts');
    const check = validateSpec(spec);
    return { ok: check.ok, errors: check.ok ? [] : check.errors, warnings: check.warnings };
  },
  async output({ stdout, output }) {
    const [{ parseOutput }, { readOutput }] = await Promise.all([
      import('../engine/bridge/cliSpec/parseOutput.ts'),
      import('../engine/bridge/cliSpec/validateSpec.ts'),
    ]);
    const read = readOutput(output);
    if (!read.ok) throw new Wrong(read.error.message);
    const { text: parsed, structured } = parseOutput(text(stdout, 'stdout'), read.value);
    return { text: parsed, structured: structured?.value };
  },
  async init({ path, size }) {
    const { scoreFile } = await import('../engine/project/init/scoreFile.ts');
    return { score: scoreFile(text(path, 'path'), whole(size, 'size', 0, Number.MAX_SAFE_INTEGER)) };
  },
  async terminal({ bytes, cols, rows }) {
    const { terminalText } = await import('../engine/exec/terminalText.ts');
    const columns = whole(cols ?? 80, 'cols', 1, maxScreen);
    const lines = whole(rows ?? 24, 'rows', 1, maxScreen);
    const encoded = text(bytes, 'bytes');
    if (!/^[A-Za-z0-9+/\s]*[=\s]*$/.test(encoded)) throw new Wrong('bytes is a text in base64');
    return { text: await terminalText(Buffer.from(encoded, 'base64'), columns, lines) };
  },
};

/** A line that each can be asked with. */
const examples: Readonly<Record<string, object>> = {
  pseudo: { command: 'codebolt fs read --path README.md' },
  shell: { command: 'npm test && git status' },
  reply: {
    text: '<tool_call>{"name": "read_file", "arguments": {"filePath": "a.ts"}}</tool_call>',
    dialect: 'tolerant',
  },
  help: { text: 'Usage: greet [--name NAME]', name: 'greet', version: '1.0.0' },
  spec: { spec: { name: 'greet', version: '1.0.0', commands: [] } },
  output: { stdout: '{"a": 1}', output: { format: 'json' } },
  init: { path: 'src/index.ts', size: 2_000 },
  terminal: { bytes: Buffer.from('\u001B[31mred').toString('base64'), cols: 80, rows: 24 },
};

/** `vise inspect WHAT --help`: how to ask it. */
export async function inspectHelp({ words: [what = ''] }: Parsed, io: Io): Promise<number> {
  const example = Object.hasOwn(examples, what) ? examples[what] : undefined;
  if (!example) return refuseSubject(io);
  io.out(
    `vise inspect ${what} -\nJSON lines in, one JSON line each out; runs nothing.\n\nExample: echo ${quoteWord(JSON.stringify(example))} | vise inspect ${what} -\n`,
  );
  return exitCodes.done;
}

function refuseSubject(io: Io): number {
  io.err(`vise inspect: vise inspect ${Object.keys(subjects).join('|')} - (reads JSON lines from standard input)\n`);
  return exitCodes.usage;
}

/** Columns or lines of a screen: far above what a person has, far below what memory has. */
const maxScreen = 1_000;

/**
 * `vise inspect WHAT -`: JSON lines in, one JSON line each out, as they come. Blank lines are passed over. A line that
 * cannot be answered is answered with an error in its place, and the next one is read; the exit code then is 2.
 */
export async function runInspect(parsed: Parsed, io: Io): Promise<number> {
  const [what = '', from] = parsed.words;
  const answer = Object.hasOwn(subjects, what) ? subjects[what] : undefined;
  if (!answer || from !== '-') return refuseSubject(io);
  sayWaiting(io, 'inspect', 'JSON lines');
  let started: Started | undefined;
  const provided: Provided = {
    async project() {
      started ??= (await import('./base/startEngine.ts')).startEngine(parsed, io, false);
      const project = await started.engine.project(io.cwd);
      if (!project.ok) throw new Wrong(project.error.message);
      return project.value;
    },
  };
  let code: number = exitCodes.done;
  try {
    for await (const line of io.stdinLines()) {
      if ('text' in line && line.text.trim() === '') continue;
      const answered = await answerLine(line, answer, provided);
      if ('fault' in answered) code = answered.fault.code === 'VALIDATION_ERROR' ? exitCodes.usage : exitCodes.failed;
      io.out(`${JSON.stringify('fault' in answered ? { error: answered.fault } : answered.value)}\n`);
    }
  } finally {
    await started?.close();
  }
  return code;
}

type Answered = { readonly value: unknown } | { readonly fault: Pick<Failure, 'code' | 'message'> };

async function answerLine(line: InputLine, answer: Answer, provided: Provided): Promise<Answered> {
  if ('tooLong' in line) return wrong('The line is too long to be read.');
  let input: unknown;
  try {
    input = JSON.parse(line.text);
  } catch (error) {
    return wrong(`The line is not valid JSON: ${describeError(error)}`);
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return wrong('The line is not a JSON object.');
  try {
    return { value: await answer({ ...input }, provided) };
  } catch (error) {
    if (error instanceof Wrong) return wrong(error.message);
    // One of our own bugs: the lines after it are answered all the same.
    return {
      fault: { code: 'TOOL_EXECUTION_FAILED', message: `This should not have happened: ${describeError(error)}` },
    };
  }
}

function wrong(message: string): Answered {
  return { fault: { code: 'VALIDATION_ERROR', message } };
}

/** The line lacks what the subject needs. */
class Wrong extends Error {}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Wrong(`${name} is a text`);
}

function whole(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Wrong(`${name} is a whole number from ${least} to ${most}`);
}
