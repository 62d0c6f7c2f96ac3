import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { programStart, serverProgram } from './programStart.ts';
import { resolveBinary, searchPath } from './resolveBinary.ts';

const env = { ComSpec: 'C:\\Windows\\system32\\cmd.exe' };
const batch = 'C:\\tools\\my tool.CMD';

describe('a program on Windows', () => {
  test.each([
    ['--version', '--version'],
    ['a b', '^^^"a^^^ b^^^"'],
    ['a&whoami', 'a^^^&whoami'],
    ['%PATH%', '^^^%PATH^^^%'],
    ['say "hi"', '^^^"say^^^ \\^^^"hi\\^^^"^^^"'],
    ['|<>^', '^^^|^^^<^^^>^^^^'],
  ])('J4: that is a batch file gets the word %j as a word', (word, escaped) => {
    expect(programStart(batch, [word], env, 'win32')).toEqual({
      file: env.ComSpec,
      args: ['/d', '/s', '/c', `"^"C:\\tools\\my^ tool.CMD^" ${escaped}"`],
      verbatim: true,
    });
  });

  test('is started as it is when it is no batch file, and everywhere else', () => {
    const plain = { args: ['a b'], verbatim: false };
    expect(programStart('C:\\x.exe', ['a b'], env, 'win32')).toEqual({ file: 'C:\\x.exe', ...plain });
    expect(programStart('/bin/x.cmd', ['a b'], env, 'linux')).toEqual({ file: '/bin/x.cmd', ...plain });
  });

  test('finds cmd.exe by itself where the environment does not say', () => {
    expect(programStart('x.bat', [], {}, 'win32').file).toBe('cmd.exe');
    expect(programStart('x.bat', [], { COMSPEC: 'D:\\cmd.exe' }, 'win32').file).toBe('D:\\cmd.exe');
  });

  test('that is a server is found by its ending', () => {
    const folder = testFolder({});
    writeFileSync(join(folder, 'npx.CMD'), '');
    const where = { cwd: folder, env: { Path: folder, PATHEXT: '.EXE;.CMD' } };
    expect(serverProgram('npx', where, 'win32')).toBe(join(folder, 'npx.CMD'));
    expect(serverProgram('missing', where, 'win32')).toBe('missing');
    expect(serverProgram('npx', where, 'linux')).toBe('npx');
  });

  test('of a spec is found by its ending too', () => {
    const folder = testFolder({});
    writeFileSync(join(folder, 'jq.CMD'), '', { mode: 0o755 });
    const search = searchPath({ Path: folder, PATHEXT: '.EXE;.CMD' }, [], 'win32');
    const found = resolveBinary('jq', search);
    expect(found.ok && found.value.path).toBe(join(folder, 'jq.CMD'));
  });
});
