import { posix } from 'node:path';
import { type ModuleFacts, readModule } from './readModule.ts';

/** A source file; the path is relative to the project and has forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

interface Module extends ModuleFacts {
  readonly path: string;
  readonly isTest: boolean;
  /** Files of the project that it imports. */
  readonly files: readonly string[];
  /** Packages and Node's own modules (`node:fs`) that it imports. */
  readonly packages: readonly string[];
}

/** Whom each floor may import. */
const floors: Readonly<Record<string, readonly string[]>> = {
  shared: ['shared'],
  'electron/engine': ['electron/engine', 'shared'],
  electron: ['electron', 'electron/engine', 'shared'],
  renderer: ['renderer', 'shared'],
};

const lowRooms = ['base', 'shell', 'workspace', 'exec', 'permission', 'model', 'project', 'cache', 'git', 'browser'];

const middleRooms = [...lowRooms, 'tools', 'edits', 'rehearsal', 'builds', 'bridge', 'session', 'storage'];
const opened = [...middleRooms, 'openProject', 'openSession'];

/** Whom each room of the engine may import (docs/architecture.md); rooms that do not name each other are strangers. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  shell: ['base'],
  workspace: ['base', 'shell'],
  exec: ['base', 'shell'],
  permission: ['base', 'shell'],
  model: ['base', 'shell'],
  project: ['base', 'shell', 'workspace'],
  cache: ['base', 'shell', 'workspace', 'exec'],
  git: ['base', 'shell', 'workspace', 'exec'],
  browser: ['base', 'shell', 'workspace', 'exec'],
  tools: lowRooms,
  edits: [...lowRooms, 'tools'],
  rehearsal: [...lowRooms, 'tools', 'edits'],
  builds: [...lowRooms, 'tools', 'edits', 'rehearsal'],
  bridge: [...lowRooms, 'tools', 'edits', 'rehearsal', 'builds'],
  session: [...lowRooms, 'tools', 'edits', 'rehearsal', 'builds', 'bridge'],
  storage: ['base', 'shell', 'workspace', 'exec'],
  openProject: [...middleRooms, 'entry'],
  openSession: [...middleRooms, 'openProject', 'entry'],
  lanes: [...opened, 'entry'],
  // Handlers answer for what is open, which they know by type; they join nothing themselves.
  handlers: [...opened, 'lanes', 'entry'],
  // ports.ts, hub.ts and serve.ts: what the engine is given, how facts leave it, how clients are answered.
  entry: ['base'],
  engine: [...opened, 'lanes', 'handlers', 'entry'],
  testing: [...opened, 'lanes', 'handlers', 'entry', 'engine'],
};

/** The only files directly in the engine's folder, beside tests: rooms meet in engine.ts alone. */
const entryFiles: Readonly<Record<string, string>> = {
  'engine.ts': 'engine',
  'hub.ts': 'entry',
  'ports.ts': 'entry',
  'serve.ts': 'entry',
};

/**
 * The floors of the window, each with the ones below it that it may import; those on one line are strangers. Files directly in
 * `renderer/` are its entry and stand on the roof.
 */
export const windowFloors: readonly (readonly string[])[] = [
  ['words', 'theme'],
  ['mirror'],
  ['client', 'view'],
  ['parts'],
  ['commands'],
  ['panels'],
  ['shell'],
  ['entry'],
];

/** The few places that may import what is heavy, native or a host's own. */
const reserved: readonly { readonly packages: RegExp; readonly places: RegExp }[] = [
  { packages: /^electron$/, places: /^electron\/(main|preload)(\.ts$|\/)/ },
  { packages: /^node-pty$/, places: /^electron\/(ptyHost\.ts$|cli\/(doctor\.ts$|testing\/)|engine\/exec\/)/ },
  { packages: /^playwright-core$/, places: /^electron\/engine\/browser\// },
  { packages: /^@modelcontextprotocol\//, places: /^electron\/engine\/bridge\/mcp\// },
  { packages: /^@agentclientprotocol\//, places: /^electron\/cli\/acp\// },
  { packages: /^openai$/, places: /^electron\/engine\/model\// },
];

export const isTestPath = (path: string): boolean => /\.test\.tsx?$/.test(path);

/** Neither a test nor what tests share. */
export const isProduct = ({ path }: { readonly path: string }): boolean =>
  !isTestPath(path) && !path.includes('/testing/');

function floorOf(path: string): string {
  return (
    Object.keys(floors).find((floor) => floor !== 'electron' && path.startsWith(`${floor}/`)) ??
    path.replace(/\/.*/s, '')
  );
}

/** The room of an engine file: its folder, or what it is directly in `engine/`; tests there are of the whole engine. */
function roomOf(path: string): string {
  const [, , room = '', inside] = path.split('/');
  if (inside === undefined) return isTestPath(path) ? 'engine' : (entryFiles[room] ?? 'none');
  return room in rooms ? room : 'none';
}

/** The floor of a file of the window; a panel is a floor's room of its own, a stranger to its neighbours. */
function windowRoomOf(path: string): { readonly floor: string; readonly room: string } {
  const [, floor = '', panel = '', inside] = path.split('/');
  if (panel === '') return { floor: 'entry', room: 'entry' };
  return { floor, room: floor === 'panels' && inside !== undefined ? `panels/${panel}` : floor };
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function toModule({ path, text }: Source): Module {
  const facts = readModule(path, text);
  const near = facts.imports.filter((specifier) => specifier.startsWith('.'));
  return {
    ...facts,
    path,
    isTest: isTestPath(path),
    files: near.map((specifier) => posix.join(posix.dirname(path), specifier.replace(/\?.*/s, ''))),
    packages: facts.imports.filter((specifier) => !specifier.startsWith('.')).map(packageOf),
  };
}

/** Outside the house, but open: what tests drive the product with, and the version of the product. */
function isOpenTo(module: Module, file: string): boolean {
  if (module.isTest || module.path.startsWith('electron/engine/testing/'))
    return file.startsWith('.setup/') || file === 'e2e/modelServer.ts' || file.startsWith('e2e/providers/');
  return file === 'package.json' && floorOf(module.path) === 'electron';
}

function offFloor(module: Module): readonly string[] {
  const floor = floorOf(module.path);
  const allowed = floors[floor] ?? [];
  return module.files
    .filter((file) => !allowed.includes(floorOf(file)) && !isOpenTo(module, file))
    .map((file) => `${module.path} (floor ${floor}) imports ${file}`);
}

function outOfOrder(module: Module): readonly string[] {
  if (floorOf(module.path) !== 'electron/engine') return [];
  const room = roomOf(module.path);
  if (room === 'none') return [`${module.path} is in no room of the engine`];
  return module.files
    .filter((file) => floorOf(file) === 'electron/engine' && roomOf(file) !== room)
    .filter((file) => !(rooms[room] ?? []).includes(roomOf(file)) && !(module.isTest && roomOf(file) === 'testing'))
    .map((file) => `${module.path} (room ${room}) imports ${file}`);
}

function offWindowFloor(module: Module): readonly string[] {
  if (floorOf(module.path) !== 'renderer') return [];
  const { floor, room } = windowRoomOf(module.path);
  if (floor === 'testing') return [];
  const height = windowFloors.findIndex((line) => line.includes(floor));
  // A folder that is no floor may import nothing.
  const below = windowFloors.slice(0, Math.max(0, height)).flat();
  return module.files
    .filter((file) => floorOf(file) === 'renderer')
    .map((file) => ({ file, ...windowRoomOf(file) }))
    .filter((to) => to.room !== room && !below.includes(to.floor) && !(module.isTest && to.floor === 'testing'))
    .map(({ file }) => `${module.path} (room ${room}) imports ${file}`);
}

function wrongPackages(module: Module): readonly string[] {
  if (module.isTest) return [];
  const floor = floorOf(module.path);
  const onlyPure = floor === 'shared' || floor === 'renderer';
  return module.packages
    .filter(
      (name) =>
        reserved.some(({ packages, places }) => packages.test(name) && !places.test(module.path)) ||
        (onlyPure && name.startsWith('node:')) ||
        (floor === 'shared' && name !== 'zod'),
    )
    .map((name) => `${module.path} imports ${name}`);
}

interface Linked {
  readonly path: string;
  readonly files: readonly string[];
}

/** Its folder; the entry files of the engine stand each for itself, below the rooms or above them. */
function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === 'electron/engine' ? path : folder;
}

/** The folders of these files (tests and what they share aside), each with those it imports from. */
function foldersOf(modules: readonly Module[]): readonly Linked[] {
  const byFolder = Map.groupBy(modules.filter(isProduct), ({ path }) => folderOf(path));
  return [...byFolder].map(([path, inside]) => ({
    path,
    files: inside.flatMap(({ files }) => files.map(folderOf)).filter((folder) => folder !== path),
  }));
}

/** Circles as groups of files or folders that reach each other, by Tarjan's strongly connected components. */
function circlesOf(modules: readonly Linked[]): readonly string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[] = [];
  const visit = (path: string): number => {
    const at = order.size;
    order.set(path, at);
    stack.push(path);
    let low = at;
    for (const next of byPath.get(path)?.files ?? []) {
      if (!byPath.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? at);
      lowest.set(path, low);
    }
    lowest.set(path, low);
    if (low === at) {
      const group = stack.splice(stack.indexOf(path));
      if (group.length > 1) circles.push(group.join(' ⇄ '));
    }
    return low;
  };
  for (const { path } of modules) if (!order.has(path)) visit(path);
  return circles;
}

/** What the house forbids and these sources do, a line each, and how much was looked at. */
export interface LayerReport {
  readonly files: number;
  readonly imports: number;
  readonly floors: readonly string[];
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
  /** Between files. */
  readonly circles: readonly string[];
  /** Folders that reach each other: nobody could tell which stands on which. */
  readonly folderCircles: readonly string[];
  readonly defaultExports: readonly string[];
  readonly barrels: readonly string[];
}

/** Holds sources against the rules of docs/architecture.md. Pure; throws where a source cannot be parsed. */
export function checkLayers(sources: readonly Source[]): LayerReport {
  const modules = sources.map(toModule);
  return {
    files: modules.length,
    imports: modules.reduce((sum, module) => sum + module.imports.length, 0),
    floors: modules.flatMap(offFloor),
    rooms: [...modules.flatMap(outOfOrder), ...modules.flatMap(offWindowFloor)],
    packages: modules.flatMap(wrongPackages),
    circles: circlesOf(modules),
    folderCircles: circlesOf(foldersOf(modules)),
    defaultExports: modules.filter((module) => module.hasDefaultExport).map(({ path }) => path),
    barrels: modules.filter((module) => module.isBarrel).map(({ path }) => path),
  };
}
