import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSymbolReader } from '../../project/symbols/symbolReader.ts';
import { tryIn } from '../../testing/tryTool.ts';
import { testFolder, writeFiles } from '../../workspace/testing/testFolder.ts';
import { createListSymbols } from '../project/listSymbols.ts';
import { createFindReferences } from './findReferences.ts';
import { createFindSymbol } from './findSymbol.ts';

async function tools(root: string) {
  const symbols = createSymbolReader();
  onTestFinished(() => symbols.dispose());
  const trial = await tryIn(root);
  return {
    symbols,
    trial,
    find: createFindSymbol({ symbols }),
    references: createFindReferences({ symbols }),
    list: createListSymbols({ symbols }),
  };
}

const code = (result: { success: boolean; error?: { code: string } }) => result.error?.code;

const project = {
  'src/store.ts': `import { parse } from './parse.ts';
// parse is mentioned here
export class Store {
  parse(text: string) {
    return parse(text) + 'parse' + \`\${parse(text)} parse\`;
  }
}
`,
  'src/parse.ts': 'export function parse(text: string) {\n  return text;\n}\nconst MAX_parse = 1, parser = 2;\n',
  'lib/tool.py': 'class Parser:\n    """parse"""\n    def parse(self):\n        return self.parse()\n',
  'main.go': 'package main\n\nfunc (p *Parser) parse() {}\n',
  'notes.md': 'function parse() {}',
  'node_modules/m/i.js': 'function parse() {}',
};

describe('find_symbol', () => {
  test('finds definitions in every language, not what is only mentioned', async () => {
    const { trial, find } = await tools(testFolder(project));
    expect(await trial.tool(find, { symbol: 'parse' })).toEqual({
      success: true,
      data: {
        symbol: 'parse',
        definitions: [
          {
            name: 'parse',
            kind: 'method',
            line: 3,
            column: 9,
            container: 'Parser',
            signature: 'def parse(self)',
            exported: true,
            file: 'lib/tool.py',
            language: 'python',
          },
          {
            name: 'parse',
            kind: 'method',
            line: 3,
            column: 18,
            container: 'Parser',
            signature: 'func (p *Parser) parse()',
            exported: false,
            file: 'main.go',
            language: 'go',
          },
          {
            name: 'parse',
            kind: 'function',
            line: 1,
            column: 17,
            signature: 'export function parse(text: string)',
            exported: true,
            file: 'src/parse.ts',
            language: 'typescript',
          },
          {
            name: 'parse',
            kind: 'method',
            line: 4,
            column: 3,
            container: 'Store',
            signature: 'parse(text: string)',
            exported: true,
            file: 'src/store.ts',
            language: 'typescript',
          },
        ],
        count: 4,
      },
    });
  });

  test.each([
    [{ symbol: 'Store.parse' }, ['src/store.ts:4']],
    [{ symbol: 'Parser::parse', path: 'lib' }, ['lib/tool.py:3']],
    [{ symbol: 'parse', path: 'src/parse.ts' }, ['src/parse.ts:1']],
    [{ symbol: 'Store', symbolType: 'class' }, ['src/store.ts:3']],
    [{ symbol: 'Store', symbolType: 'function' }, []],
    [{ symbol: 'parser', symbolType: 'constant' }, ['src/parse.ts:4']],
    [{ symbol: 'Parse' }, []],
    [{ symbol: 'nothing' }, []],
  ])('%j', async (input, expected) => {
    const { trial, find } = await tools(testFolder(project));
    const { data } = (await trial.tool(find, input)) as { data: { definitions: { file: string; line: number }[] } };
    expect(data.definitions.map(({ file, line }) => `${file}:${line}`)).toEqual(expected);
  });

  test('bundles and minified files are left out of a search and told, but searched when they are named', async () => {
    const min = `${'var a=1;'.repeat(5000)}function parse(){}`;
    const { trial, find } = await tools(testFolder({ 'min.js': min, 'b.js': 'function parse() {}\n' }));
    expect(await trial.tool(find, { symbol: 'parse' })).toMatchObject({
      data: { definitions: [{ file: 'b.js' }], count: 1, notSearched: ['min.js'] },
    });
    expect(await trial.tool(find, { symbol: 'parse', path: 'min.js' })).toMatchObject({
      data: { definitions: [{ file: 'min.js', column: 40_010 }], count: 1 },
    });
  });

  test('a file that changed is read anew', async () => {
    const root = testFolder({ 'a.py': 'def one(): pass\n' });
    const { trial, find } = await tools(root);
    expect(await trial.tool(find, { symbol: 'one' })).toMatchObject({ data: { count: 1 } });
    writeFiles(root, { 'a.py': '\ndef one(): pass\ndef other(): pass\n' });
    expect(await trial.tool(find, { symbol: 'one' })).toMatchObject({ data: { definitions: [{ line: 2 }] } });
    expect(await trial.tool(find, { symbol: 'other' })).toMatchObject({ data: { definitions: [{ line: 3 }] } });
  });

  test('each refusal has its code, and no permission is needed', async () => {
    const { trial, find } = await tools(testFolder(project));
    const call = async (input: unknown) => code(await trial.tool(find, input));
    expect(await call({ symbol: '' })).toBe('VALIDATION_ERROR');
    expect(await call({ symbol: 'two words' })).toBe('VALIDATION_ERROR');
    expect(await call({ symbol: 'x', symbolType: 'thing' })).toBe('VALIDATION_ERROR');
    expect(await call({ symbol: 'x', path: 'none' })).toBe('DIRECTORY_NOT_FOUND');
    expect(await call({ symbol: 'x', path: '..' })).toBe('PATH_TRAVERSAL_DETECTED');
    const stopped = await trial.tool(find, { symbol: 'parse' }, { signal: AbortSignal.abort() });
    expect(code(stopped)).toBe('CANCELLED');
    expect((await trial.plan(find, { symbol: 'x' })).intent.risk).toBe('none');
  });
});

describe('find_references', () => {
  test('finds whole identifiers outside comments and strings, imports included', async () => {
    const { trial, references } = await tools(testFolder(project));
    const { data } = (await trial.tool(references, { symbol: 'parse', path: 'src' })) as {
      data: { references: { file: string; line: number; column: number; isDefinition: boolean }[] };
    };
    expect(
      data.references.map((one) => `${one.file}:${one.line}:${one.column}${one.isDefinition ? ' defined' : ''}`),
    ).toEqual([
      'src/parse.ts:1:17 defined',
      'src/store.ts:1:10',
      'src/store.ts:4:3 defined',
      'src/store.ts:5:12',
      'src/store.ts:5:39',
    ]);
    expect(data).toMatchObject({ symbol: 'parse', count: 5, truncated: false });
    expect(data.references[1]).toMatchObject({ text: "import { parse } from './parse.ts';" });
  });

  test.each([
    ['a.py', 'import x\n# x\nx.y("x", \'x\', f"{x} x")\n"""x"""\n', ['1:8', '3:1', '3:18']],
    ['a.go', 'package m\n// x\nvar s = "x" + `x` + x + \'x\'\n', ['3:21']],
    ['a.rs', '/* x */ fn f() { x(); "x"; \'x\'; r#"x"#; }\n', ['1:18']],
    ['A.java', 'class A { /** x */ int x = "x".length() + x; }\n', ['1:24', '1:43']],
    ['a.c', '#include "x"\n#define y x\nint x = \'x\'; // x\n', ['2:11', '3:5']],
    ['a.cs', 'class A { string s = "x" + $"{x} x" + @"x"; /* x */ }\n', ['1:31']],
    ['a.rb', 'x = "x #{x} x" + \'x\' # x\n', ['1:1', '1:10']],
    ['a.php', 'x <?php $x = "x $x" . \'x\'; // x\n', ['1:10', '1:18']],
    ['a.js', 'const r = /x/ + `x${x}x`; // x\n', ['1:21']],
    ['a.jsx', 'const a = <p x="x">x {x}</p>;\n', ['1:14', '1:23']],
  ])('%s', async (file, text, expected) => {
    const { trial, references } = await tools(testFolder({ [file]: text }));
    const { data } = (await trial.tool(references, { symbol: 'x' })) as {
      data: { references: { line: number; column: number }[] };
    };
    expect(data.references.map(({ line, column }) => `${line}:${column}`)).toEqual(expected);
  });

  test('1000 references are told, and that there are more', async () => {
    const { trial, references } = await tools(testFolder({ 'a.ts': 'use(x);\n'.repeat(1200), 'b.ts': 'x;' }));
    const { data } = (await trial.tool(references, { symbol: 'x' })) as { data: { references: unknown[] } };
    expect(data).toMatchObject({ count: 1000, truncated: true });
  });

  test('each refusal has its code, and no permission is needed', async () => {
    const { trial, references } = await tools(testFolder(project));
    expect(code(await trial.tool(references, {}))).toBe('VALIDATION_ERROR');
    expect(code(await trial.tool(references, { symbol: 'x', path: 'none' }))).toBe('DIRECTORY_NOT_FOUND');
    const stopped = await trial.tool(references, { symbol: 'parse' }, { signal: AbortSignal.abort() });
    expect(code(stopped)).toBe('CANCELLED');
    expect((await trial.plan(references, { symbol: 'x' })).intent.risk).toBe('none');
  });
});

describe('list_symbols', () => {
  test('lists what a file defines, in order', async () => {
    const { trial, list } = await tools(testFolder(project));
    expect(await trial.tool(list, { filePath: 'src/store.ts' })).toEqual({
      success: true,
      data: {
        file: 'src/store.ts',
        language: 'typescript',
        symbols: [
          { name: 'Store', kind: 'class', line: 3, endLine: 7, signature: 'export class Store', exported: true },
          {
            name: 'parse',
            kind: 'method',
            line: 4,
            endLine: 6,
            container: 'Store',
            signature: 'parse(text: string)',
            exported: true,
          },
        ],
        total: 2,
      },
    });
  });

  test('fields are left out, a language that is not known has no symbols', async () => {
    const { trial, list } = await tools(testFolder({ 'a.java': 'class A { int x; }', 'a.txt': 'class A {}' }));
    expect(await trial.tool(list, { filePath: 'a.java' })).toMatchObject({ data: { total: 1 } });
    expect(await trial.tool(list, { filePath: 'a.txt' })).toEqual({
      success: true,
      data: { file: 'a.txt', language: 'unknown', symbols: [], total: 0 },
    });
  });

  test('each refusal has its code, and no permission is needed', async () => {
    const outside = testFolder({ 'o.ts': '' });
    const root = testFolder({ 'bin.ts': new Uint8Array([0]), 'dir/x': '', 'big.ts': `${' '.repeat(5 * 1024 * 1024)}` });
    symlinkSync(path.join(outside, 'o.ts'), path.join(root, 'out.ts'));
    const { trial, list } = await tools(root);
    const call = async (filePath: string) => code(await trial.tool(list, { filePath }));
    expect(await call('none.ts')).toBe('FILE_NOT_FOUND');
    expect(await call('dir')).toBe('NOT_A_FILE');
    expect(await call('bin.ts')).toBe('BINARY_FILE');
    expect(await call('big.ts')).toBe('FILE_TOO_LARGE');
    expect(await call('out.ts')).toBe('PATH_TRAVERSAL_DETECTED');
    expect(code(await trial.tool(list, {}))).toBe('VALIDATION_ERROR');
    const stopped = await trial.tool(list, { filePath: 'bin.ts' }, { signal: AbortSignal.abort() });
    expect(code(stopped)).toBe('CANCELLED');
    expect((await trial.plan(list, { filePath: 'bin.ts' })).intent.risk).toBe('none');
  });

  test('J5 a file that takes too long to parse is given up', async () => {
    const { trial, list } = await tools(testFolder({ 'deep.js': '('.repeat(200_000) }));
    expect(code(await trial.tool(list, { filePath: 'deep.js' }))).toBe('TIMEOUT');
  });
});
