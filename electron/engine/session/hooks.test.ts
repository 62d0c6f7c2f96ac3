import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ServerReply } from '../../../e2e/modelServer.ts';
import { isRunning } from '../base/processMark.ts';
import { noticesOf } from '../testing/engineForTest.ts';
import { askServer } from '../testing/serverBench.ts';

// Each hook is a process, on a machine that may have other work.
vi.setConfig({ testTimeout: 30_000 });

type Bench = Awaited<ReturnType<typeof askServer>>;

const edit = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }] };
const settings = (event: string, command: string, more: { matcher?: string; timeout?: number } = {}) =>
  JSON.stringify({
    hooks: { [event]: [{ matcher: more.matcher, hooks: [{ type: 'command', command, timeout: more.timeout }] }] },
  });

async function trust({ bench }: Bench): Promise<void> {
  const path = bench.project;
  await bench.client.call('project.open', { path });
  const listed = await bench.client.call('project.risks', { path });
  const hash = listed.ok ? listed.value.hash : '';
  expect(await bench.client.call('project.trust', { path, trust: 'trusted', hash })).toMatchObject({ ok: true });
}

async function withHooks(
  hooks: string,
  replies: readonly ServerReply[],
  more: { files?: Record<string, string>; ports?: Record<string, unknown>; place?: string } = {},
): Promise<Bench> {
  const files = { 'a.txt': 'old', [more.place ?? '.claude/settings.json']: hooks, ...more.files };
  const all = await askServer(replies, { files, ports: more.ports ?? {} });
  await trust(all);
  return all;
}

const last = ({ asked }: Bench, count: number): string => JSON.stringify(asked(count).messages.at(-1)?.content);
const notices = ({ session }: Bench): string => noticesOf(session.mirror()).join('\n');

describe('a hook before a call', () => {
  test('refuses it with what it says on standard error and exit code 2, and the model reads why', async () => {
    const script = 'read -r asked; printf "%s" "$asked" > seen.json; echo "frozen until Monday" >&2; exit 2';
    const all = await withHooks(
      settings('PreToolUse', 'sh .claude/hooks/stop.sh', { matcher: 'Edit|Write' }),
      [edit, { text: 'Well.' }],
      {
        files: { '.claude/hooks/stop.sh': script },
      },
    );
    await all.session.say('Change it.');
    expect(all.bench.file('a.txt')).toBe('old');
    expect(last(all, 2)).toContain('A hook refused this call: frozen until Monday');
    expect(notices(all)).toBe('Hook PreToolUse (Edit) sh .claude/hooks/stop.sh refused the call: frozen until Monday.');
    const told: unknown = JSON.parse(all.bench.file('seen.json'));
    expect(told).toMatchObject({
      session_id: all.session.id,
      cwd: all.bench.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      vise_tool_name: 'edit_file',
      tool_input: { oldStr: 'old', file_path: join(all.bench.project, 'a.txt') },
    });
  });

  test('refuses it in JSON, by its decision or its permission', async () => {
    for (const answer of [
      { decision: 'block', reason: 'no' },
      {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
      },
      { continue: false, stopReason: 'no' },
    ]) {
      const all = await withHooks(settings('PreToolUse', `echo '${JSON.stringify(answer)}'`), [
        edit,
        { text: 'Well.' },
      ]);
      const end = await all.session.say('Change it.');
      expect(all.bench.file('a.txt')).toBe('old');
      expect(end.outcome).toBe('continue' in answer ? 'blocked' : 'incomplete');
    }
  });

  test('J6: allows nothing that the gate asks, and can have asked what it would allow', async () => {
    const decided = (permissionDecision: string) =>
      settings('PreToolUse', `echo '${JSON.stringify({ hookSpecificOutput: { permissionDecision } })}'`);
    const allows = await withHooks(decided('allow'), [edit, { text: 'Well.' }], { ports: { allow: 'none' } });
    await allows.session.send('Change it.');
    expect((await allows.session.next('permission.asked')).approval.rememberable).toBe(true);
    const asks = await withHooks(decided('ask'), [edit, { text: 'Well.' }]);
    await asks.session.send('Change it.');
    const { approval } = await asks.session.next('permission.asked');
    expect(approval.reasons).toEqual(['a hook wants you to be asked: it wants the person to look']);
    expect(asks.bench.file('a.txt')).toBe('old');
  });

  test('is asked only for the tools that it names, and told of in words the model can use', async () => {
    const words = { hookSpecificOutput: { additionalContext: 'The file is generated.' } };
    const all = await withHooks(
      JSON.stringify({
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2' }] },
            { matcher: '*', hooks: [{ type: 'command', command: `echo '${JSON.stringify(words)}'` }] },
          ],
        },
      }),
      [edit, { text: 'Done.' }],
      { place: '.vise/settings.json' },
    );
    await all.session.say('Change it.');
    expect(all.bench.file('a.txt')).toBe('new');
    expect(last(all, 2)).toContain('The file is generated.');
  });
});

describe('hooks beside a turn', () => {
  test('say something to a result, refuse a message, add to it, and keep a turn going at most three times', async () => {
    const hooks = {
      SessionStart: [{ hooks: [{ type: 'command', command: 'echo started-words' }] }],
      UserPromptSubmit: [
        {
          hooks: [
            { type: 'command', command: 'grep -q secret && { echo "no secrets" >&2; exit 2; }; echo prompt-words' },
          ],
        },
      ],
      PostToolUse: [
        { matcher: 'edit_file', hooks: [{ type: 'command', command: 'echo "lint: 1 error" >&2; exit 2' }] },
      ],
      Stop: [{ hooks: [{ type: 'command', command: 'echo "the tests have not run" >&2; exit 2' }] }],
    };
    const rest = Array.from({ length: 4 }, () => ({ text: 'Done.' }));
    const all = await withHooks(JSON.stringify({ hooks }), [edit, ...rest]);
    const refused = await all.bench.client.call('session.send', { session: all.session.id, text: 'my secret' });
    expect(refused).toMatchObject({ ok: false, error: { message: 'A hook refused the message: no secrets' } });
    expect((await all.session.say('Change it.')).outcome).toBe('done');
    expect(last(all, 1)).toContain('prompt-words');
    expect(last(all, 2)).toContain('A hook says: lint: 1 error');
    expect([3, 4, 5].map((count) => last(all, count).includes('the tests have not run'))).toEqual([true, true, true]);
    expect(all.server.requests).toHaveLength(5);
  });

  test("J1 J2 J6: the project's count only with trust in what they are now; the person's own always", async () => {
    const files = {
      'a.txt': 'old',
      '.claude/settings.json': settings('PreToolUse', 'sh check.sh'),
      'check.sh': 'exit 2',
    };
    const all = await askServer(Array.from({ length: 5 }, () => [edit, { text: 'Well.' }]).flat(), { files });
    const change = async (): Promise<boolean> => {
      writeFileSync(join(all.bench.project, 'a.txt'), 'old');
      await all.session.say('Change it.');
      return all.bench.file('a.txt') === 'new';
    };
    expect(await change()).toBe(true); // nobody trusts it
    await trust(all);
    expect(await change()).toBe(false);
    writeFileSync(join(all.bench.project, 'check.sh'), 'touch obeyed; exit 2'); // the script that it names is another
    expect(await change()).toBe(true);
    expect(existsSync(join(all.bench.project, 'obeyed'))).toBe(false);
    await trust(all);
    expect(await change()).toBe(false);
    rmSync(join(all.bench.project, '.claude'), { recursive: true }); // removed: nothing is left of it
    expect(await change()).toBe(true);
    const config = join(all.bench.ports.places.config, 'config.json');
    const mine = JSON.parse(settings('UserPromptSubmit', 'echo mine >&2; exit 2')) as object;
    writeFileSync(config, JSON.stringify({ ...(JSON.parse(readFileSync(config, 'utf8')) as object), ...mine }));
    const again = await all.bench.restart();
    const sent = await again.client.call('session.send', { session: all.session.id, text: 'Hello.' });
    expect(sent).toMatchObject({ ok: false, error: { message: 'A hook refused the message: mine' } });
  });

  test('C7 J5: one that hangs is ended with all that it began, one that fails or floods is told, and the call goes on', async () => {
    const hang = '(setsid sh -c "echo \\$\\$ > pid; exec sleep 600") & sleep 600';
    const hooks = {
      PreToolUse: [
        {
          hooks: [hang, 'head -c 10000000 /dev/zero', 'echo broken >&2; exit 7', 'echo {nonsense'].map((command) => ({
            type: 'command',
            command,
            // Long enough for a slow machine to begin it; the others end by themselves.
            timeout: command === hang ? 5 : undefined,
          })),
        },
      ],
    };
    const all = await withHooks(JSON.stringify({ hooks }), [edit, { text: 'Done.' }]);
    await all.session.say('Change it.');
    expect(all.bench.file('a.txt')).toBe('new');
    expect(notices(all)).toContain('was ended after 5 s without an answer.');
    expect(notices(all)).toContain('was ended because it wrote too much.');
    expect(notices(all)).toContain('ended with 7: broken.');
    expect(notices(all)).toContain('answered with JSON that cannot be read.');
    const pid = Number(all.bench.file('pid'));
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
  });

  test('C8: what one says carries no command to a terminal, and is bounded', async () => {
    const flood = `printf '\\033]0;title\\007\\033[31mred\\033[0m'; head -c 100000 /dev/zero | tr '\\0' x`;
    const all = await withHooks(settings('UserPromptSubmit', flood), [{ text: 'Done.' }]);
    await all.session.say('Hello.');
    const said = last(all, 1);
    expect(said).toContain('redxxx');
    expect(said).not.toContain('\\u001b');
    expect(said.length).toBeLessThan(11_000);
  });

  test('stops with the turn', async () => {
    const all = await withHooks(settings('PreToolUse', 'touch begun; sleep 600'), [edit, { text: 'Done.' }]);
    await all.session.send('Change it.');
    await all.session.next('turn.started');
    while (!existsSync(join(all.bench.project, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20));
    await all.bench.client.call('session.stop', { session: all.session.id });
    expect((await all.session.next('turn.finished')).outcome).toBe('cancelled');
    expect(all.bench.file('a.txt')).toBe('old');
  });

  test('are told where they cannot be read', async () => {
    const all = await withHooks('{"hooks": {"PreToolUse": [{"hooks": [{"type": "http"}]}], "Notification": []}}', [
      { text: 'a' },
    ]);
    const listed = await all.bench.engine.project(all.bench.project);
    expect(listed.ok && (await listed.value.hooks.list())).toEqual({
      hooks: [],
      untrusted: [],
      faults: [
        '.claude/settings.json: a hook at PreToolUse is no {type: "command", command}; it is not run.',
        '.claude/settings.json: hooks at "Notification" are not run here.',
      ],
    });
  });
});
