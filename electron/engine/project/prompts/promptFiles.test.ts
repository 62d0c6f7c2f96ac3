import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../workspace/testing/testFolder.ts';
import { readFrontmatter } from './frontmatter.ts';
import { createPromptFiles, fillIn } from './promptFiles.ts';

const skill = (name: string, about: string) => `---\nname: ${name}\ndescription: ${about}\n---\n\nDo it so.\n`;

function promptsOf(
  project: Readonly<Record<string, string | Uint8Array>>,
  config: Readonly<Record<string, string>> = {},
  trusted = true,
) {
  const root = testFolder({ ...project, '.keep': '' });
  const own = testFolder({ ...config, '.keep': '' });
  return { root, prompts: createPromptFiles({ project: root, config: own, trusted: async () => trusted }) };
}

describe('the head of a Markdown file', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['none', 'Just words.\n', {}, 'Just words.'],
    [
      'plain and quoted values',
      '---\na: b # c\nd: "e: \\"f\\""\ng: \'h\'\'s\'\n---\nx',
      { a: 'b', d: 'e: "f"', g: "h's" },
      'x',
    ],
    [
      'texts over lines',
      '---\na: >-\n  one\n  two\nb: |\n  one\n  two\nc: one\n  two\n---\n',
      { a: 'one two', b: 'one\ntwo', c: 'one two' },
      '',
    ],
    ['lists are passed over', '---\ntools:\n  - read\n  - write\na: b\n---\nx', { tools: '', a: 'b' }, 'x'],
    ['Windows line ends', '---\r\na: b\r\n---\r\nx\r\n', { a: 'b' }, 'x'],
    ['an empty one', '---\n---\nx', {}, 'x'],
    ['one that never ends is body', '---\na: b\nx', {}, '---\na: b\nx'],
  ])('%s', (_name, text, fields, body) => {
    const read = readFrontmatter(text);
    expect([Object.fromEntries(read.fields), read.body]).toEqual([fields, body]);
  });
});

describe('commands and skills', () => {
  test("are found in the person's and the project's folders, the person's first", async () => {
    const { prompts } = promptsOf(
      {
        '.vise/commands/review.md': '---\ndescription: theirs\n---\nTheirs.',
        '.vise/commands/git/commit.md': '---\nargument-hint: [message]\n---\n# Commit it\n',
        '.claude/commands/fix.md': 'Fix $1.',
        '.claude/skills/pdf/SKILL.md': skill('pdf-forms', 'Fill in forms'),
      },
      { 'commands/review.md': '---\ndescription: mine\n---\nMine.', 'skills/mine/SKILL.md': skill('mine', 'My way') },
    );
    const found = await prompts.list();
    expect(found.map(({ kind, name, about, hint, origin }) => [kind, name, about, hint, origin])).toEqual([
      ['command', 'review', 'mine', '', 'user'],
      ['skill', 'mine', 'My way', '', 'user'],
      ['command', 'git:commit', 'Commit it', '[message]', 'project'],
      ['command', 'fix', 'Fix $1.', '', 'project'],
      ['skill', 'pdf-forms', 'Fill in forms', '', 'project'],
    ]);
  });

  test('J1: of a project that is not trusted do not count', async () => {
    const files = { '.vise/commands/a.md': 'a', '.claude/skills/b/SKILL.md': skill('b', 'b') };
    expect(await promptsOf(files, { 'commands/c.md': 'c' }, false).prompts.list()).toMatchObject([{ name: 'c' }]);
  });

  test('without a purpose, with a wrong name, blank, undecodable or too large are left out', async () => {
    const { prompts } = promptsOf({
      '.vise/skills/none/SKILL.md': 'No head.',
      '.vise/skills/far/deep/SKILL.md': skill('far', 'far'),
      '.vise/commands/two words.md': 'x',
      '.vise/commands/blank.md': ' ',
      '.vise/commands/bytes.md': new Uint8Array([0xff, 0xfe, 0x41]),
      '.vise/commands/large.md': 'x'.repeat(70_000),
      '.vise/commands/notes.txt': 'x',
    });
    expect(await prompts.list()).toEqual([]);
  });

  test('links out of the project are not followed', async () => {
    const outside = testFolder({ 'secret.md': 'secret', 'skill/SKILL.md': skill('out', 'out') });
    const { root, prompts } = promptsOf({ '.vise/commands/a.md': 'a', '.vise/skills/b/SKILL.md': skill('b', 'b') });
    symlinkSync(join(outside, 'secret.md'), join(root, '.vise', 'commands', 'secret.md'));
    symlinkSync(join(outside, 'skill'), join(root, '.vise', 'skills', 'out'));
    symlinkSync(join(outside, 'secret.md'), join(root, '.vise', 'skills', 'b', 'more.md'));
    expect((await prompts.list()).map(({ name }) => name)).toEqual(['a', 'b']);
    const found = await prompts.find('b');
    if (!found) throw new Error('no skill');
    for (const path of ['more.md', '../../commands/a.md', '/etc/passwd'])
      expect(await prompts.readBeside(found, path)).toMatchObject({ ok: false });
  });

  test('files beside a skill are named and read', async () => {
    const { prompts } = promptsOf({
      '.claude/skills/pdf/SKILL.md': skill('pdf', 'Forms'),
      '.claude/skills/pdf/forms.md': 'How forms work.',
      '.claude/skills/pdf/scripts/fill.py': 'print()',
      '.claude/skills/pdf/picture.png': new Uint8Array([0xff, 0xd8, 0xff]),
    });
    const found = await prompts.find('pdf');
    if (!found) throw new Error('no skill');
    expect(await prompts.filesBeside(found)).toEqual(['forms.md', 'picture.png', 'scripts/fill.py']);
    expect(await prompts.readBeside(found, 'forms.md')).toEqual({ ok: true, value: 'How forms work.' });
    expect(await prompts.readBeside(found, 'picture.png')).toMatchObject({ error: { code: 'BINARY_FILE' } });
    expect(await prompts.readBeside(found, 'none.md')).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
  });
});

test.each<[string, string, string]>([
  ['All: $ARGUMENTS.', 'a "b c"', 'All: a "b c".'],
  ['$2 before $1; $3', `a 'b c'`, 'b c before a; '],
  ['Nothing named.', 'a b', 'Nothing named.\n\nARGUMENTS: a b'],
  ['Nothing given.', ' ', 'Nothing given.'],
  ['$10 and $ARGUMENTSX stay', 'a', '$10 and $ARGUMENTSX stay\n\nARGUMENTS: a'],
  ['$ARGUMENTS', '$1 $&', '$1 $&'],
])('%j with %j becomes %j', (body, given, text) => expect(fillIn({ body }, given)).toBe(text));
