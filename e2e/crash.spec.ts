import { liveCallsOf } from '../shared/model/reduce.ts';
import { configure, scripted } from './harness/configure.ts';
import { connect } from './harness/connect.ts';
import { readTree } from './harness/folders.ts';
import { expect, test } from './harness/test.ts';
import { until } from './harness/until.ts';
import { pressUntilGone } from './harness/window.ts';

const replies = [
  {
    text: 'I rename it.',
    calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }],
  },
  { text: 'Renamed.' },
];

function valueOf<T>(
  answer: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: object },
): T {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

test('N1 after kill -9 while an approval waits, the session, the approval and the draft are there and the turn goes on', async ({
  home,
  makeProject,
  serve,
}) => {
  const project = makeProject({ 'a.txt': 'old text\n' });
  const args = scripted(home, replies);
  const first = await serve({ project, args });
  const before = await connect(first.url);
  const closed = new Promise<string>((resolve) => before.onClose(resolve));
  const { session } = valueOf(await before.call('session.create', { project, mode: 'direct' }));
  const asked = new Promise<string>((resolve) => {
    before.onEvent(({ event }) => event.type === 'permission.asked' && resolve(event.call));
  });
  valueOf(await before.call('session.watch', { session }));
  valueOf(await before.call('session.send', { session, text: 'rename it' }));
  const call = await asked;
  valueOf(await before.call('session.draft', { session, text: 'half a mess' }));
  await first.kill();
  await closed;
  expect(readTree(project)).toEqual({ 'a.txt': 'old text\n' });

  const second = await serve({ project, args });
  const after = await connect(second.url);
  const bench = valueOf(await after.call('workbench.watch', {}));
  expect(bench.state.sessions[session]).toMatchObject({ id: session, project });
  const finished = new Promise<object>((resolve) => {
    after.onEvent(({ event }) => event.type === 'turn.finished' && resolve(event));
  });
  const { state, draft } = valueOf(await after.call('session.watch', { session }));
  expect({
    waiting: liveCallsOf(state)
      .filter(({ state: at }) => at === 'waiting')
      .map(({ id }) => id),
    draft,
  }).toEqual({ waiting: [call], draft: 'half a mess' });
  // What waits is not answered by the restart.
  expect(readTree(project)).toEqual({ 'a.txt': 'old text\n' });
  valueOf(await after.call('permission.answer', { session, call, decision: 'once' }));
  expect(await finished).toMatchObject({ outcome: 'done', text: 'Renamed.' });
  expect(readTree(project)).toEqual({ 'a.txt': 'new text\n' });
  after.close();
});

test('N1 in the page: after kill -9 the window says so, and with the next server everything is where it was', async ({
  home,
  makeProject,
  page,
  serve,
}) => {
  const project = makeProject({ 'a.txt': 'old text\n' });
  configure(home, { settings: { mode: 'direct' } });
  const args = scripted(home, replies);
  const first = await serve({ project, args });
  await page.goto(first.url);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await composer.fill('rename it');
  await composer.press('Enter');
  const apply = page.getByRole('button', { name: /^Apply/ }).first();
  await expect(apply).toBeVisible();
  await composer.fill('half a mess');
  // The draft is on the disk once another window could read it.
  const other = await connect(first.url);
  const session = Object.keys(valueOf(await other.call('workbench.watch', {})).state.sessions)[0] ?? '';
  await until('the draft to be kept', async () => {
    return valueOf(await other.call('session.watch', { session })).draft === 'half a mess';
  });
  await first.kill();
  await expect(page.getByText('The engine is out of reach.')).toBeVisible();
  expect(readTree(project)).toEqual({ 'a.txt': 'old text\n' });

  const second = await serve({ project, args });
  await page.goto(second.url);
  await page
    .getByRole('button', { name: /rename it/ })
    .first()
    .click();
  await expect(composer).toHaveValue('half a mess');
  await pressUntilGone(apply, apply);
  await expect(page.getByText('Renamed.').first()).toBeVisible();
  await until('the file to be written', () => readTree(project)['a.txt'] === 'new text\n');
  await expect(composer).toHaveValue('half a mess');
});
