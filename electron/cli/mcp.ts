import { systemClock } from '../engine/base/clock.ts';
import type { Disposable } from '../engine/base/disposer.ts';
import { findPlaces } from '../engine/base/places.ts';
import { serveMcp } from '../engine/bridge/mcp/server.ts';
import type { OpenedProject } from '../engine/openProject/openedProject.ts';
import { createWorkbenchAsk } from '../engine/openSession/askWorkbench.ts';
import { createMcpPort } from '../engine/openSession/mcpPort.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import { type Parsed, projectOf } from './base/parseFlags.ts';
import { sayWaiting } from './base/pipedInput.ts';
import { withEngine } from './base/startEngine.ts';
import { version } from './base/version.ts';

/** `vise mcp`: the tools of a project on stdio until the client goes. stdout carries the protocol and nothing else. */
export async function runMcp(parsed: Parsed, io: Io): Promise<number> {
  if (parsed.words.length > 0) return refuse(io, 'mcp', 'takes no words; name the folder with --project DIR');
  return withEngine('mcp', parsed, io, async ({ engine }) => {
    const project = await engine.project(projectOf(parsed, io));
    if (!project.ok) return refuse(io, 'mcp', project.error.message);
    sayWaiting(io, 'mcp', 'an MCP client');
    const gone = Promise.withResolvers<void>();
    let exitCode: number = exitCodes.done;
    const interrupt = io.onInterrupt(() => {
      exitCode = exitCodes.interrupted;
      gone.resolve();
    });
    for (const end of ['end', 'close'] as const) process.stdin.once(end, () => gone.resolve());
    // A list without the programs would be followed by another one at once; asking them anew takes a moment at most.
    await Promise.race([project.value.bridge.load('specs'), gone.promise]);
    const { connectToWorkbench, runningWorkbenches } = await import('../server/findWorkbench.ts');
    const { state } = findPlaces(io.env);
    const workbench = createWorkbenchAsk({
      connect: () => connectToWorkbench(state),
      isRunning: () => runningWorkbenches(state).length > 0,
      clock: systemClock,
      project: project.value.path,
    });
    const server = await serveMcp(createMcpPort(engine, project.value, version, workbench), {
      onError: (error) => io.err(`vise mcp: ${error.message}\n`),
    });
    const following = follow(project.value);
    await gone.promise;
    following.dispose();
    await server.close();
    workbench.dispose();
    interrupt.dispose();
    return exitCode;
  });
}

/** How often settings and specs that other processes write are looked at, so that a client hears of it unasked. */
const followMs = 2_000;

function follow({ bridge, readSettings }: Pick<OpenedProject, 'bridge' | 'readSettings'>): Disposable {
  let waiting: Disposable | undefined;
  let isOver = false;
  const again = (): void => {
    waiting = systemClock.after(followMs, () => {
      const looked = Promise.all([readSettings(), bridge.lookAgain()]);
      void looked.finally(() => {
        if (!isOver) again();
      });
    });
  };
  again();
  return {
    dispose() {
      isOver = true;
      waiting?.dispose();
    },
  };
}
