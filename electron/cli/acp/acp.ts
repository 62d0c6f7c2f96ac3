import { Readable, Writable } from 'node:stream';
import { exitCodes, type Io, refuse } from '../base/io.ts';
import type { Parsed } from '../base/parseFlags.ts';
import { withEngine } from '../base/startEngine.ts';
import { version } from '../base/version.ts';
import { createEditorAgent } from './editorAgent.ts';

/** `vise acp`: Vise inside an editor, on stdio until the editor goes. stdout carries the protocol and nothing else. */
export async function runAcp(parsed: Parsed, io: Io): Promise<number> {
  if (parsed.words.length > 0) return refuse(io, 'acp', 'takes no words; the editor names the folder');
  return withEngine(
    'acp',
    parsed,
    io,
    async ({ engine, client }) => {
      const sdk = await import('@agentclientprotocol/sdk');
      const agent = createEditorAgent(sdk, {
        client,
        version,
        factsOf: engine.factsOf,
        sessions: () => engine.sessions.list(),
        checkProvider: () => engine.checkProvider(undefined),
        open: (session) => engine.sessions.open(session),
        warn: (problem) => io.err(`vise acp: ${problem}\n`),
      });
      // Node's web streams have the same shape as the DOM's, which the package names.
      const [output, input] = [Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)] as const;
      const connection = agent.connect(sdk.ndJsonStream(output, input as ReadableStream<Uint8Array>));
      let exitCode: number = exitCodes.done;
      const interrupt = io.onInterrupt(() => {
        exitCode = exitCodes.interrupted;
        connection.close();
      });
      await connection.closed;
      interrupt.dispose();
      return exitCode;
    },
    true,
  );
}
