import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bothWays, type PtyOptions, type PtyRun, runOnTerminal, widths } from '../testing/ptyRun.ts';

const edit = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }] };
const run = (command: string) => ({ calls: [{ tool: 'run', input: { command } }] });

function chat(options: PtyOptions, words: readonly string[] = ['--mode', 'direct']): PtyRun {
  return runOnTerminal(['chat', ...words], options);
}

const fileOf = ({ project }: PtyRun, name: string): string => readFileSync(join(project, name), 'utf8');

/** It ended well, and left the terminal as it was. */
async function endsWell(terminal: PtyRun, code = 0): Promise<void> {
  expect([await terminal.code(), terminal.faults()]).toEqual([code, []]);
}

test.each(widths)('a first talk with approvals reads well in %i columns', (columns) =>
  bothWays(columns, async (look, file) => {
    const terminal = chat({
      ...look,
      replies: [{ text: 'I change it.', ...edit }, run('echo checked'), { text: 'It is **new**.' }],
    });
    await terminal.see('/help lists the commands');
    terminal.type('Change it.\r');
    await terminal.see('Allow edit_file?');
    terminal.type('what\r');
    await terminal.see('until this session ends');
    terminal.type('y\r');
    await terminal.see('Allow run?');
    await expect(terminal.picture()).toMatchFileSnapshot(file('chat-asked'));
    terminal.type('n use npm\r');
    await terminal.see(/requests/);
    terminal.type('/cost\r');
    await terminal.see(/session .* tokens in/);
    terminal.type('/exit\r');
    await endsWell(terminal);
    await expect(terminal.picture()).toMatchFileSnapshot(file('chat'));
    expect(fileOf(terminal, 'a.txt')).toBe('new words\n');
  }),
);

test.each(widths)('a phased task with an approval reads well in %i columns', (columns) =>
  bothWays(columns, async (look, file) => {
    const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
    const replies = [
      call('report_findings', { key_findings: ['The words are old.'], relevant_files: ['a.txt'] }),
      call('report_plan', { steps: [{ intent: 'Write new words', target_files: ['a.txt'] }] }),
      edit,
      call('report_done', { summary: 'The words are **new**.' }),
      { text: 'The words are **new**.' },
    ];
    const terminal = chat({ ...look, replies }, ['--mode', 'phased']);
    await terminal.see('/help lists the commands');
    terminal.type('Make the words new.\r');
    await terminal.see('Allow edit_file?');
    await expect(terminal.picture()).toMatchFileSnapshot(file('phased-asked'));
    terminal.type('y\r');
    await terminal.see(/\d requests/);
    terminal.type('\u0004');
    await endsWell(terminal);
    await expect(terminal.picture()).toMatchFileSnapshot(file('phased'));
    expect(fileOf(terminal, 'a.txt')).toBe('new words\n');
  }),
);

test.each(widths)('a first start without a model says what to do, in %i columns', (columns) =>
  bothWays(columns, async (look, file) => {
    const terminal = chat({ ...look, env: { LLM_PROVIDER: '', VISE_SCRIPT: '' } }, []);
    await terminal.see('/help lists the commands');
    terminal.type('Hello.\r');
    await terminal.see('Not sent: No model is configured.');
    terminal.type('\u0004');
    await endsWell(terminal);
    await expect(terminal.picture()).toMatchFileSnapshot(file('first'));
  }),
);

test.each(widths)('a paste, an interrupt and a resume read well in %i columns', (columns) =>
  bothWays(columns, async (look, file) => {
    const replies = [{ text: 'Read.' }, { text: 'Read **again**.' }, { text: 'Never.', delayMs: 60_000 }];
    const terminal = chat({ ...look, replies });
    await terminal.see('> ');
    terminal.type('\u001B[200~first line\rsecond line\n\tthird\u001B[201~');
    await terminal.see('third');
    terminal.type('\r');
    await terminal.see('Read.');
    await terminal.see(/1 request ·/);
    terminal.type('one\\\rtwo\u001B\rthree\r');
    await terminal.see(/again[^]*1 request ·/);
    terminal.type('\u0004');
    await endsWell(terminal);
    await expect(terminal.picture()).toMatchFileSnapshot(file('paste'));
    expect(messagesOf(terminal)).toEqual(['first line\nsecond line\n\tthird', 'one\ntwo\nthree']);

    const stopped = chat({ ...look, replies, folder: terminal.folder }, ['--continue']);
    await stopped.see('  three');
    stopped.type('Wait.\r');
    await stopped.see('waiting for scripted');
    stopped.type('half a message');
    stopped.type('\u0003');
    await stopped.see('cancelled');
    stopped.type('\u0003');
    await stopped.see('Ctrl-C again');
    stopped.type('\u0003');
    await endsWell(stopped, 130);
    await expect(stopped.picture()).toMatchFileSnapshot(file('interrupted'));
  }),
);

interface Fact {
  readonly event?: { readonly type: string; readonly text: string };
}

/** What was said in the only session there is. */
function messagesOf({ folder }: PtyRun): readonly string[] {
  const sessions = join(folder, 'home', 'state', 'sessions');
  const [journal = ''] = globSync('*/journal.jsonl', { cwd: sessions });
  return (
    readFileSync(join(sessions, journal), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      // A line holds one fact or several.
      .flatMap((line) => JSON.parse(line) as Fact | readonly Fact[])
      .flatMap(({ event }) => (event?.type === 'turn.started' ? [event.text] : []))
  );
}

test('an answer for the session and one for always show their rule, and hold', async () => {
  const terminal = chat({
    replies: [run('touch one'), run('touch one'), run('touch two'), run('touch two'), { text: 'Over.' }],
  });
  await terminal.see('> ');
  terminal.type('Go.\r');
  await terminal.see('Allow run?');
  terminal.type('s\r');
  await terminal.see(/Until this session ends:\n {2}allow command touch one/);
  await terminal.see(/Allow run\?[^]*Allow run\?/);
  terminal.type('a\r');
  await terminal.see('Save it?');
  terminal.type('\r');
  await terminal.see(/Save it\?[^]*Allow run\?/);
  terminal.type('a\r');
  await terminal.see(/Save it\?[^]*Save it\?/);
  terminal.type('y\r');
  await terminal.see('Over.');
  terminal.type('\u0004');
  expect(await terminal.code()).toBe(0);
  expect([existsSync(join(terminal.project, 'one')), existsSync(join(terminal.project, 'two'))]).toEqual([true, true]);
  expect(terminal.picture().match(/Allow run\?/g)).toHaveLength(3);
});

test('the sessions of the project are listed to be gone on with', async () => {
  const terminal = chat({ replies: [{ text: 'Hello **there**.' }] });
  await terminal.see('> ');
  terminal.type('Greet me.\r');
  await terminal.see(/1 request/);
  terminal.type('/resume\r');
  await terminal.see(/session +changed +title/);
  terminal.type('\u0004');
  await endsWell(terminal);
  expect(terminal.picture()).toMatch(/SESSION +DATE +Greet me\./);
});

test('what is refused stands within the width, torn at blanks', async () => {
  const terminal = chat({ columns: 60, replies: [{ text: 'Never.' }], files: { 'a-file-of-words.txt': 'words\n' } });
  await terminal.see('> ');
  terminal.type('Look at @a-file-of-wrods.txt\r');
  await terminal.see('error:');
  terminal.type('\u0004');
  await endsWell(terminal);
  expect(terminal.picture()).toContain('wrods.txt, which\n  does not exist. The nearest: @a-file-of-words.txt.\n');
});

test('Ctrl-G hands what is typed to an editor of one’s own', async () => {
  const terminal = chat({ replies: [{ text: 'Read.' }] });
  const editor = join(terminal.folder, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\necho "and more" >> "$1"\n');
  chmodSync(editor, 0o755);
  await terminal.see('> ');
  terminal.type('/exit\r');
  await terminal.code();
  const edited = chat({ folder: terminal.folder, replies: [{ text: 'Read.' }], env: { EDITOR: editor } });
  await edited.see('> ');
  edited.type('Begin');
  edited.type('\u0007');
  await edited.see('Beginand more');
  edited.type('\r');
  await edited.see('Read.');
  edited.type('\u0004');
  expect(await edited.code()).toBe(0);
});

test('changes are shown, taken back and listed by slash commands', async () => {
  const terminal = chat({ replies: [edit, run('exit 3'), { text: 'Over.' }] }, [
    '--mode',
    'direct',
    '--allow',
    'dangerous',
  ]);
  await terminal.see('> ');
  terminal.type('Go.\r');
  await terminal.see('Over.');
  await terminal.see(/requests/);
  terminal.type('/diff\r');
  await terminal.see(/diff --git a\/a.txt b\/a.txt[^]*\+new words/);
  terminal.type('/undo\r');
  await terminal.see('taken back: a.txt');
  terminal.type('/tasks\r');
  await terminal.see(/exit code 3 .* exit 3/);
  terminal.type('/model other\r');
  await terminal.see(/model: other|error: /);
  terminal.type('/undo\r');
  await terminal.see('there is no change to take back');
  terminal.type('/quit\r');
  expect(await terminal.code()).toBe(0);
  expect(fileOf(terminal, 'a.txt')).toBe('old words\n');
});
