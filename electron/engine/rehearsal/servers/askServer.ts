import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type {
  Diagnostic,
  DocumentDiagnosticReport,
  InitializeParams,
  InitializeResult,
  PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { markOf } from '../../base/processMark.ts';
import { signalProcess } from '../../base/signals.ts';
import type { ProbeOrder } from './probeOrder.ts';
import type { ServerLine } from './serverLines.ts';
import { languageOf } from './serverTable.ts';

/** A server that writes more than this is ended (bytes). */
const maxBytes = 64 * 1024 * 1024;
/** Of its error output the end is told (characters). */
const maxErrorChars = 2_000;
/** Diagnostics of one answer that are told. */
const maxLines = 1_000;
/** A server that says nothing for so long has said all; longer while a file has had no word yet. */
const quietMs = 1_500;
const quietBeforeMs = 10_000;
const pollMs = 50;
const goodbyeMs = 1_000;

const severities = { 1: 'error', 2: 'warning', 3: 'info' } as const;

/** Starts a language server on the files of a folder and gathers its diagnostics. UNAVAILABLE: it crashed, hung or flooded. */
export async function askServer(
  { server, files, limitMs }: ProbeOrder,
  folder = process.cwd(),
): Promise<Result<readonly ServerLine[]>> {
  const root = realpathSync(folder);
  const [program, ...args] = server;
  // `.cmd` files of npm need a shell on Windows.
  const child = spawn(program, args, {
    cwd: root,
    stdio: 'pipe',
    shell: process.platform === 'win32',
    windowsHide: true,
  });
  const mark = child.pid === undefined ? undefined : markOf(child.pid);
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const { promise: broken, settle } = endings(child, limitMs);
  try {
    const asked = converse(connection, root, files);
    asked.catch(() => undefined); // where it breaks first, that is told
    return await Promise.race([broken, asked]);
  } catch (error) {
    return fail('UNAVAILABLE', `It does not speak the language server protocol: ${String(error)}`);
  } finally {
    settle();
    connection.dispose();
    if (mark) signalProcess(mark, 'SIGKILL');
  }
}

/** Resolves with what ends a conversation before its time. */
function endings(child: ChildProcess, limitMs: number) {
  const { promise, resolve } = Promise.withResolvers<Result<never>>();
  const end = (why: string): void => resolve(fail('UNAVAILABLE', why));
  let said = '';
  let bytes = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-maxErrorChars);
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) end('The language server wrote more than 64 MB and was ended.');
  });
  child.stdin?.on('error', () => undefined); // its end is told
  child.once('error', (error) => end(`The language server could not be started: ${error.message}`));
  child.once('close', (code, signal) => {
    const last = said.trimEnd().split('\n').at(-1)?.trim();
    end(`The language server ended (${signal ?? `code ${code}`})${last ? `: ${last}` : '.'}`);
  });
  const timer = setTimeout(
    () => end(`The language server came to no rest within ${Math.round(limitMs / 1000)} seconds.`),
    limitMs,
  );
  return { promise, settle: () => clearTimeout(timer) };
}

async function converse(
  connection: MessageConnection,
  root: string,
  files: readonly string[],
): Promise<Result<readonly ServerLine[]>> {
  const found = new Map<string, readonly Diagnostic[]>();
  const progress = new Set<unknown>();
  let lastAt = performance.now();
  const hear = (): void => {
    lastAt = performance.now();
  };
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }: PublishDiagnosticsParams) => {
    hear();
    found.set(pathOf(uri), diagnostics.slice(0, maxLines));
  });
  connection.onNotification('$/progress', ({ token, value }: { token: unknown; value?: { kind?: string } }) => {
    hear();
    if (value?.kind === 'begin') progress.add(token);
    if (value?.kind === 'end') progress.delete(token);
  });
  connection.onRequest('workspace/configuration', ({ items = [] }: { items?: unknown[] }) => items.map(() => null));
  connection.onRequest('workspace/workspaceFolders', () => [folderOf(root)]);
  for (const asked of ['client/registerCapability', 'client/unregisterCapability', 'window/workDoneProgress/create'])
    connection.onRequest(asked, () => null);
  connection.onError(() => undefined); // its end is told
  connection.listen();

  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', initializing(root));
  await connection.sendNotification('initialized', {});
  const opened = await openFiles(connection, root, files);
  if (capabilities.diagnosticProvider) {
    const { identifier } = capabilities.diagnosticProvider;
    for (const file of opened) {
      const textDocument = { uri: uriOf(file) };
      const report = await connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
        textDocument,
        identifier,
      });
      if (report.kind === 'full') found.set(file, report.items);
    }
  } else {
    const isQuiet = (): boolean => {
      const limit = opened.every((file) => found.has(file)) ? quietMs : quietBeforeMs;
      return progress.size === 0 && performance.now() - lastAt > limit;
    };
    hear();
    while (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  await Promise.race([
    connection.sendRequest('shutdown').then(() => connection.sendNotification('exit')),
    new Promise((resolve) => setTimeout(resolve, goodbyeMs)),
  ]);
  return ok(
    [...found].flatMap(([file, diagnostics]) => linesOf(path.relative(root, file), diagnostics)).slice(0, maxLines),
  );
}

/** Answers the files that are there, as they are opened. */
async function openFiles(
  connection: MessageConnection,
  root: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const opened: string[] = [];
  for (const name of files) {
    const file = path.join(root, name);
    const languageId = languageOf(name);
    const text = languageId === undefined ? undefined : textIn(file);
    if (languageId === undefined || text === undefined) continue;
    opened.push(file);
    const textDocument = { uri: uriOf(file), languageId, version: 1, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
  }
  return opened;
}

function initializing(root: string): InitializeParams {
  return {
    processId: process.pid,
    clientInfo: { name: 'Vise' },
    rootUri: uriOf(root),
    workspaceFolders: [folderOf(root)],
    capabilities: {
      textDocument: { publishDiagnostics: {}, diagnostic: {}, synchronization: {} },
      workspace: { configuration: true, workspaceFolders: true },
      window: { workDoneProgress: true },
    },
  };
}

function linesOf(file: string, diagnostics: readonly Diagnostic[]): readonly ServerLine[] {
  // What lies outside of the project is nobody's hunk.
  if (file.startsWith('..') || path.isAbsolute(file)) return [];
  return diagnostics.flatMap(({ severity = 1, range, code, source, message }) => {
    const name = severities[severity as keyof typeof severities];
    if (name === undefined) return []; // a hint
    const isScript = typeof code === 'number' && /^(?:ts|typescript)$/.test(source ?? 'ts');
    return {
      file: file.replaceAll('\\', '/'),
      line: range.start.line + 1,
      column: range.start.character + 1,
      severity: name,
      rule: code === undefined ? source : `${isScript ? 'TS' : ''}${code}`,
      message: typeof message === 'string' ? message : message.value,
    };
  });
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // not there without the edits, or no longer
  }
}

const uriOf = (file: string): string => pathToFileURL(file).href;
const folderOf = (root: string) => ({ uri: uriOf(root), name: path.basename(root) });

/** As we name it: servers may write the same address otherwise. */
function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
