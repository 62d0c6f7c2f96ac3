import type { Check } from '../../../../shared/model/rehearsal.ts';
import type { TaskPort } from '../../tools/shell/taskPort.ts';
import type { Look } from '../../workspace/look.ts';

interface KnownServer {
  readonly program: string;
  /** What makes it speak the protocol over its standard streams; from its own documentation (`source`). */
  readonly args: readonly string[];
  /** The languages it is for, by the endings of their files. */
  readonly languages: Readonly<Record<string, string>>;
  readonly source: string;
  /** Only as a package of the project of this major version or a later one: what PATH has of that name may be another. */
  readonly ofPackage?: { readonly name: string; readonly from: number };
}

const scripts = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
};

/** Language servers that are looked for; of those for one language the first that is there is used. */
const knownServers: readonly KnownServer[] = [
  {
    program: 'tsc',
    args: ['--lsp', '--stdio'],
    languages: scripts,
    source: 'https://github.com/microsoft/typescript-go',
    ofPackage: { name: 'typescript', from: 7 },
  },
  {
    program: 'typescript-language-server',
    args: ['--stdio'],
    languages: scripts,
    source: 'https://github.com/typescript-language-server/typescript-language-server',
  },
  {
    program: 'pyright-langserver',
    args: ['--stdio'],
    languages: { py: 'python', pyi: 'python' },
    source: 'https://github.com/microsoft/pyright',
  },
  { program: 'gopls', args: ['serve'], languages: { go: 'go' }, source: 'https://go.dev/gopls/' },
  { program: 'rust-analyzer', args: [], languages: { rs: 'rust' }, source: 'https://rust-analyzer.github.io/' },
  {
    program: 'clangd',
    args: ['--log=error'],
    languages: { c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', hpp: 'cpp' },
    source: 'https://clangd.llvm.org/',
  },
  {
    program: 'vscode-json-language-server',
    args: ['--stdio'],
    languages: { json: 'json', jsonc: 'jsonc' },
    source: 'https://github.com/hrsh7th/vscode-langservers-extracted',
  },
  {
    program: 'vscode-css-language-server',
    args: ['--stdio'],
    languages: { css: 'css', scss: 'scss', less: 'less' },
    source: 'https://github.com/hrsh7th/vscode-langservers-extracted',
  },
];

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** The language of a file by its ending, as the protocol calls it; undefined where no server knows it. */
export function languageOf(path: string): string | undefined {
  const ending = endingOf(path);
  return knownServers.find(({ languages }) => Object.hasOwn(languages, ending))?.languages[ending];
}

/** The installed servers (of the project, else of PATH) for the languages of these files, as checks. */
export async function serverChecks(
  paths: readonly string[],
  look: Look,
  tasks: Pick<TaskPort, 'plan'>,
): Promise<readonly Check[]> {
  const checks = new Map<string, Check>();
  for (const ending of new Set(paths.map(endingOf)))
    for (const server of knownServers.filter(({ languages }) => Object.hasOwn(languages, ending))) {
      const program = await findServer(server, look, tasks);
      if (program === undefined) continue;
      checks.set(server.program, {
        name: 'diagnostics',
        command: [program, ...server.args].join(' '),
        isServer: true,
      });
      break;
    }
  return [...checks.values()];
}

async function findServer(
  { program, args, ofPackage }: KnownServer,
  look: Look,
  tasks: Pick<TaskPort, 'plan'>,
): Promise<string | undefined> {
  const own = `node_modules/.bin/${program}`;
  const file = await look.resolve(own);
  const isOwn = file.ok && file.value.kind === 'file';
  if (isOwn && (ofPackage === undefined || (await isFrom(ofPackage, look)))) return own;
  if (ofPackage !== undefined) return undefined;
  // Planned as words, so that it is looked for in PATH.
  const planned = await tasks.plan({ command: program, args: args.length > 0 ? args : ['--version'], cwd: look.root });
  return planned.ok ? program : undefined;
}

async function isFrom({ name, from }: { readonly name: string; readonly from: number }, look: Look): Promise<boolean> {
  const manifest = await look.readText(`node_modules/${name}/package.json`);
  const version = manifest.ok ? /"version"\s*:\s*"(\d+)/.exec(manifest.value.text)?.[1] : undefined;
  return version !== undefined && Number(version) >= from;
}
