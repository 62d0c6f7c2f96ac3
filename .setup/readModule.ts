import { type ESTree, parseSync } from 'vite';

/** What the layers test wants to know of one source file. */
export interface ModuleFacts {
  /** All that it imports or re-exports, types and lazy imports included, and files that it names for a worker. */
  readonly imports: readonly string[];
  readonly hasDefaultExport: boolean;
  /** It passes on what others export and holds nothing of its own. */
  readonly isBarrel: boolean;
  /** Its functions, outer ones first, each with its name (where it has none, that of what holds it). */
  readonly functions: readonly { readonly name: string; readonly lines: number }[];
}

type Json = { readonly [key: string]: unknown };

const isNode = (value: unknown): value is Json => typeof value === 'object' && value !== null && 'type' in value;

/** The text of a string literal node; undefined for anything that is only known when it runs. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node['type'] === 'TSLiteralType') return textOf(node['literal']);
  if (node['type'] === 'TSExternalModuleReference') return textOf(node['expression']);
  return node['type'] === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;
}

const isNamed = (node: unknown, name: string): boolean => isNode(node) && node['name'] === name;

/** `new URL('./worker.ts', import.meta.url)` names a file as an import does. */
function urlOf(node: Json): string | undefined {
  const given = node['arguments'];
  if (!isNamed(node['callee'], 'URL') || !Array.isArray(given) || given.length !== 2) return undefined;
  const text = textOf(given[0]);
  return text?.startsWith('.') ? text : undefined;
}

function specifierOf(node: Json): string | undefined {
  switch (node['type']) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return textOf(node['source'] ?? node['argument']);
    case 'TSImportEqualsDeclaration':
      return textOf(node['moduleReference']);
    case 'CallExpression': {
      const given = node['arguments'];
      return isNamed(node['callee'], 'require') && Array.isArray(given) ? textOf(given[0]) : undefined;
    }
    case 'NewExpression':
      return urlOf(node);
    default:
      return undefined;
  }
}

function collect(value: unknown, into: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, into);
  if (!isNode(value)) return;
  const specifier = specifierOf(value);
  if (specifier !== undefined) into.add(specifier);
  for (const child of Object.values(value)) if (typeof child === 'object') collect(child, into);
}

function functionsIn(program: unknown, text: string): ModuleFacts['functions'] {
  const found: { name: string; lines: number }[] = [];
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name);
    if (!isNode(value)) return;
    const { id, start, end } = value;
    const own = isNode(id) && typeof id['name'] === 'string' ? id['name'] : name;
    if (/Function/.test(String(value['type'])) && typeof start === 'number' && typeof end === 'number') {
      found.push({ name: own, lines: text.slice(start, end).split('\n').length });
    }
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child, own);
  };
  visit(program, '');
  return found;
}

function exportsDefault(statement: ESTree.Statement): boolean {
  if (statement.type === 'ExportDefaultDeclaration') return true;
  if (statement.type !== 'ExportNamedDeclaration') return false;
  return statement.specifiers.some(({ exported }) => 'name' in exported && exported.name === 'default');
}

const passesOn = (statement: ESTree.Statement): boolean =>
  statement.type === 'ExportAllDeclaration' ||
  (statement.type === 'ExportNamedDeclaration' && statement.source !== null);

/** Reads a TypeScript source with the compiler's own grammar. Throws where it cannot be parsed. */
export function readModule(path: string, text: string): ModuleFacts {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const imports = new Set<string>();
  collect(program.body, imports);
  return {
    imports: [...imports],
    hasDefaultExport: program.body.some(exportsDefault),
    isBarrel:
      program.body.some((statement) => statement.type === 'ExportAllDeclaration') ||
      (program.body.length > 0 && program.body.every(passesOn)),
    functions: functionsIn(program.body, text),
  };
}
