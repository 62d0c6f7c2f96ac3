import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { maxFrameChars } from '../../shared/contract/connection.ts';
import { describeError } from '../engine/base/log.ts';
import { findPlaces } from '../engine/base/places.ts';
import type { Engine } from '../engine/engine.ts';
import { type ExternalServer, startExternalServer } from '../server/externalServer.ts';
import { type LoopbackServer, startLoopbackServer } from '../server/loopbackServer.ts';
import { findDesktop } from './base/findDesktop.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import { type Parsed, textFlag } from './base/parseFlags.ts';
import { rootFolder, type Started, withEngine } from './base/startEngine.ts';

/** `vise serve`: the workbench behind a loopback address until it is interrupted. */
export async function runServe(parsed: Parsed, io: Io): Promise<number> {
  const port = Number(textFlag(parsed, 'port') ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return refuse(io, 'serve', '--port is a whole number from 0 to 65535.');
  const window = join(rootFolder(), 'out', 'renderer');
  if (!existsSync(join(window, 'index.html')))
    return refuse(io, 'serve', 'the window is not built. Run "npm run build" first.');
  const serveUntilInterrupted = async ({ engine, client }: Started): Promise<number> => {
    const [path] = parsed.words;
    const opened = path === undefined ? undefined : await client.call('project.open', { path });
    if (opened?.ok === false) return refuse(io, 'serve', opened.error.message);
    const server = await listen(window, port, engine.connect);
    if (typeof server === 'string') return refuse(io, 'serve', server);
    const external = await serveExternal(engine, io);
    io.out(`${JSON.stringify({ url: server.url, pid: process.pid })}\n`);
    if (io.stderrIsTty) io.err('vise serve: runs until Ctrl-C.\n');
    if (parsed.flags['no-open'] !== true) openBrowser(server, io);
    await new Promise<void>((resolve) => void io.onInterrupt(resolve));
    await external?.close();
    await server.close();
    return exitCodes.interrupted;
  };
  return withEngine('serve', parsed, io, serveUntilInterrupted, true);
}

/** `vise open`: the desktop window where there is one, else the same workbench in a browser. */
export async function runOpen(parsed: Parsed, io: Io): Promise<number> {
  const desktop = findDesktop(rootFolder(), io.env);
  if (!desktop) {
    io.err(
      'vise: there is no desktop window here (no Electron, no display, or root), so the workbench is served to a browser.\n',
    );
    return runServe(parsed, io);
  }
  // Absolute, since a second start hands it over to a window that was started elsewhere.
  const words = parsed.words.map((word) => (word.startsWith('vise:') ? word : resolve(io.cwd, word)));
  const { ELECTRON_RUN_AS_NODE: _node, ...env } = io.env;
  const child = spawn(desktop.program, [...desktop.args, ...words], { stdio: 'inherit', env });
  return new Promise((done) => {
    child.on('error', (error) => {
      io.err(`vise: the desktop window could not be started: ${error.message}\n`);
      done(exitCodes.failed);
    });
    child.on('exit', (code) => done(code ?? exitCodes.failed));
  });
}

/** Without it the workbench works all the same; only nobody else can ask through it. */
async function serveExternal({ connectExternal }: Engine, io: Io): Promise<ExternalServer | undefined> {
  try {
    const { state } = findPlaces(io.env);
    return await startExternalServer({ state, maxFrameBytes: maxFrameChars, onConnection: connectExternal });
  } catch (error) {
    io.err(`vise serve: "vise mcp" cannot ask here (${describeError(error)}).\n`);
    return undefined;
  }
}

async function listen(
  folder: string,
  port: number,
  connect: Parameters<typeof startLoopbackServer>[0]['onConnection'],
): Promise<LoopbackServer | string> {
  try {
    return await startLoopbackServer({ folder, port, maxFrameBytes: maxFrameChars, onConnection: connect });
  } catch (error) {
    return `port ${port} cannot be used (${describeError(error)}). Choose another with --port, or leave it out.`;
  }
}

function openBrowser(server: LoopbackServer, io: Io): void {
  const url = server.urlOnce();
  const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', url],
  };
  const hasDisplay = process.platform !== 'linux' || io.env['DISPLAY'] || io.env['WAYLAND_DISPLAY'];
  if (!hasDisplay) return;
  const [program, ...args] = programs[process.platform] ?? ['xdg-open', url];
  spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', () => io.err(`vise serve: no browser could be opened; open ${server.url} yourself.\n`))
    .unref();
}
