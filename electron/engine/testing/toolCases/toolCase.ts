import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ErrorCode } from '../../../../shared/errorCode.ts';
import type { ToolResult } from '../../../../shared/result.ts';
import type { EnginePorts } from '../../ports.ts';
import type { Tool } from '../../tools/frame/tool.ts';
import { type TestBench, testBench } from '../engineForTest.ts';
import { assertFitsOutput } from '../fitsOutput.ts';

export type Input = Readonly<Record<string, unknown>>;

/** One call of one tool, and what it is answered with. */
export interface ToolCase {
  readonly tool: string;
  /** The end of a sentence that begins with the tool's name. */
  readonly shows: string;
  readonly input: Input | ((bench: TestBench) => Input);
  /** None for what succeeds. */
  readonly code?: ErrorCode;
  /** A part of the data, or of the error's details. */
  readonly data?: unknown;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly ports?: Partial<EnginePorts>;
  given?(bench: TestBench): void | Promise<void>;
  /** Between the question and the answer of the person. */
  meanwhile?(bench: TestBench): void;
  readonly needs?: Need;
  /** Made in another way than by a host, because what it shows cannot happen there within a test. */
  call?(bench: TestBench): Promise<ToolResult>;
}

/** What not every machine has; the reason is said where a case is skipped. */
export type Need = 'mount' | 'modes' | 'pipes' | 'git' | 'browser';

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

export function lacks(need: Need | undefined): string | undefined {
  if (need === 'mount' && !canMount) return 'no right to mount a small disk';
  if ((need === 'modes' || need === 'pipes') && process.platform === 'win32') return `no ${need} on Windows`;
  if (need === 'git' && spawnSync('git', ['--version']).status !== 0) return 'no git';
  return undefined;
}

/** Makes the call as `vise tool` does, with a person who says yes. Throws where the data is not what the tool declares. */
export async function runCase(one: ToolCase): Promise<ToolResult> {
  const bench = testBench(one.files ?? {}, { interactive: false, allow: 'none', ...one.ports });
  await one.given?.(bench);
  const result = await callOf(one, bench);
  if (result.success) assertFitsOutput(await toolIn(bench, one.tool), result);
  return result;
}

/** A tool of the project of a bench. */
export async function toolIn(bench: TestBench, name: string): Promise<Tool> {
  const listed = await bench.engine.toolset(bench.project, name);
  const tool = listed.ok ? listed.value.find(name) : undefined;
  if (!tool) throw new Error(`There is no tool ${name}`);
  return tool;
}

async function callOf(one: ToolCase, bench: TestBench): Promise<ToolResult> {
  if (one.call) return one.call(bench);
  const input = typeof one.input === 'function' ? one.input(bench) : one.input;
  const call = () =>
    bench.engine.callTool(bench.project, one.tool, input, new AbortController().signal, {
      ask() {
        one.meanwhile?.(bench);
        return Promise.resolve('allow');
      },
    });
  return one.needs === 'modes' ? asNobody(bench, call) : call();
}

/** Root may read and write everything, so that refusals by the system are only seen as somebody else. */
async function asNobody(bench: TestBench, act: () => Promise<ToolResult>): Promise<ToolResult> {
  if (process.getuid?.() !== 0) return act();
  const folder = join(bench.home, '..');
  openUp(folder, bench.project);
  // The folder of this run's temporary files may be private; passing through it is enough.
  const { mode } = statSync(join(folder, '..'));
  if ((mode & 0o001) === 0) chmodSync(join(folder, '..'), mode | 0o111);
  process.seteuid?.(65_534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

/** The state of the engine is nobody's for the while; the project keeps its modes. */
function openUp(folder: string, except: string): void {
  chmodSync(folder, 0o777);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path === except || lstatSync(path).isSymbolicLink()) continue;
    if (lstatSync(path).isDirectory()) openUp(path, except);
    else chmodSync(path, 0o666);
  }
}

/** Another mode for the while of a test: what may not be written to could not be removed either. */
export function withMode(path: string, mode: number): void {
  const before = statSync(path).mode;
  chmodSync(path, mode);
  onTestFinished(() => chmodSync(path, before));
}

/** A disk of a few pages in place of this folder, with one file and no room for another. */
export function fullDisk(folder: string, files: Readonly<Record<string, string>> = {}): void {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  if (mounted.status !== 0) throw new Error(`no mount: ${mounted.stderr.toString()}`);
  onTestFinished(() => void spawnSync('umount', [folder]));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const [at, size] of [65_536, 4_096, 4_096, 4_096].entries()) {
    try {
      writeFileSync(join(folder, `filler${at}`), Buffer.alloc(size));
    } catch {
      // Full, as it should be.
    }
  }
}
