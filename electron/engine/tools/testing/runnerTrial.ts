import { onTestFinished } from 'vitest';
import { type ToolResult, toolResult } from '../../../../shared/result.ts';
import { type TestOptions, testExecutor } from '../../exec/testing/testExecutor.ts';
import { createLook } from '../../workspace/look.ts';
import { createSandbox } from '../../workspace/sandbox.ts';
import { writeFiles } from '../../workspace/testing/testFolder.ts';
import { readingHands } from '../frame/readingHands.ts';
import type { Hands, Tool } from '../frame/tool.ts';
import { createDetectProject } from '../project/detectProject.ts';
import { createRunnerTools } from '../project/runnerTools.ts';
import type { TaskPort } from '../shell/taskPort.ts';

/** The tools in a real project folder with the real executor; only gate and session are left out. */
export async function runnerTrial(files: Readonly<Record<string, string>>, options: TestOptions = {}, waitMs?: number) {
  const bench = testExecutor(options);
  onTestFinished(() => bench.close());
  writeFiles(bench.workspace, { '.keep': '', ...files });
  const sandbox = await createSandbox({ roots: [bench.workspace] });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const look = createLook(sandbox.value);
  const { executor } = bench;
  const tasks: TaskPort = {
    plan: (request) => Promise.resolve(executor.plan(request)),
    list: () => Promise.resolve(executor.list()),
    get: (id) => Promise.resolve(executor.get(id)),
    wait: (id, timeoutMs, signal) => executor.wait(id, timeoutMs, signal),
    result: (id) => executor.result(id),
    output: (id, stream, query) => executor.output(id, stream, query),
    cancel: (id) => executor.cancel(id),
    maxOutputChars: () => 50_000,
  };
  const tools = [...createRunnerTools(tasks, waitMs), createDetectProject(tasks)];
  const find = (name: string) => tools.find((tool) => tool.name === name) as Tool;
  const stop = new AbortController();
  const hands: Hands = {
    ...readingHands(look, 'call-1', stop.signal),
    // As the tool would be with a shorter limit: nobody waits ten minutes for a test.
    runCommand: (request) => {
      const limit = /# at most (\d+) ms/.exec(request.command)?.[1];
      return executor.run(limit ? { ...request, timeoutMs: Number(limit) } : request, {
        owner: 'test',
        signal: stop.signal,
      });
    },
  };
  return {
    bench,
    stop,
    text: (name: string, result: ToolResult) => (result.success ? find(name).text?.(result.data) : undefined),
    intent: async (name: string, input: unknown) => {
      const prepared = await find(name).prepare(input, look);
      if (!prepared.ok) throw new Error(prepared.error.message);
      return prepared.value.intent;
    },
    async call(name: string, input: unknown = {}): Promise<ToolResult> {
      const prepared = await find(name).prepare(input, look);
      return toolResult(prepared.ok ? await prepared.value.run(hands, { changes: [], files: [] }) : prepared);
    },
  };
}
