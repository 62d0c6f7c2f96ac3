import { posix } from 'node:path';

/** What names another file: imports of JavaScript, Python, Go, Rust, Java, C#, Ruby, PHP, C. */
const forms: readonly RegExp[] = [
  /\b(?:from|import|require\(|import\()\s*['"]([^'"\n]+)['"]/g,
  /^\s*from\s+([.\w]+)\s+import\b/gm,
  /^\s*import\s+(?:static\s+)?([\w.]+)\s*(?:;|$|,| as )/gm,
  /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$/gm,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm,
  /\buse\s+crate::([\w:]+)/g,
  /^\s*#\s*include\s*"([^"\n]+)"/gm,
  /\brequire_relative\s*\(?\s*['"]([^'"\n]+)['"]/g,
  /\b(?:require|include)(?:_once)?\s*\(?\s*(?:__DIR__\s*\.\s*)?['"]([^'"\n]+)['"]/g,
];

/** Names that a text imports, as they are written, each once. */
export function importedNames(text: string): ReadonlySet<string> {
  return new Set(forms.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name)));
}

export interface FileNames {
  has(path: string): boolean;
  /** Files by their last two names without ending, and by their last; empty where several would fit. */
  ending(tail: string): string | undefined;
}

export function fileNames(paths: readonly string[]): FileNames {
  const all = new Set(paths);
  const tails = new Map<string, string | null>();
  const note = (tail: string, path: string) => tails.set(tail, tails.has(tail) ? null : path);
  for (const path of paths) {
    const parts = stemOf(path).split('/');
    if (parts.length > 1) note(parts.slice(-2).join('/'), path);
    note(parts.at(-1) ?? '', path);
  }
  return { has: (path) => all.has(path), ending: (tail) => tails.get(tail) ?? undefined };
}

const endings = ['', '.ts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.mts', '.py', '.rb', '.rs', '.php', '.h'];
const folders = ['/index.ts', '/index.tsx', '/index.js', '/index.mjs', '/__init__.py', '/mod.rs'];

/** The file of the project that an import in `from` means, as far as names tell. */
export function importedFile(from: string, name: string, files: FileNames): string | undefined {
  const folder = posix.dirname(from);
  const dots = /^(\.+)([\w.]*)$/.exec(name);
  // Python: one dot is this folder, each more one above.
  const relative =
    dots && from.endsWith('.py')
      ? `${'../'.repeat((dots[1] ?? '.').length - 1)}${(dots[2] ?? '').replaceAll('.', '/')}`
      : name;
  const beside = posix.join(folder, relative);
  // TypeScript imports `a.ts` as `a.js`.
  for (const stem of [beside, beside.replace(/\.[cm]?jsx?$/, '')])
    for (const ending of [...endings, ...folders])
      if (files.has(stem + ending) && stem + ending !== from) return stem + ending;
  if (name.startsWith('.')) return undefined;
  const parts = name.split(/::|[./\\]/).filter((part) => part !== '');
  const tail = parts.length > 1 ? files.ending(parts.slice(-2).join('/')) : undefined;
  return tail === from ? undefined : tail;
}

function stemOf(path: string): string {
  return path.replace(/(?:\/(?:__init__\.py|mod\.rs|index\.[jt]sx?))$|(?:\.d)?\.\w+$/, '');
}
