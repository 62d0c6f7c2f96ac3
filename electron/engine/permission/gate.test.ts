import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../shared/model/call.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import type { Level } from '../../../shared/model/level.ts';
import { type Rule, ruleText } from '../../../shared/model/rule.ts';
import { fail, ok } from '../../../shared/result.ts';
import { ManualClock } from '../testing/manualClock.ts';
import { commandHash } from './commandHash.ts';
import { createGate, type GateCall, type GateDeps, type SessionGrants } from './gate.ts';
import type { RecordedAnswer } from './personsAnswer.ts';
import { commandIntent, context, pathIntent, rule } from './testing/judge.ts';
import { createTimedGrants } from './timedGrants.ts';

const call = (id: string, intent: Intent = commandIntent('npm test'), tool = 'run'): GateCall => ({
  id,
  tool,
  category: 'system',
  level: intent.risk,
  intent,
});
const moderate = (id: string) => call(id, { ...pathIntent('read', 'moderate'), targets: [] }, 'browser_open');
const never = () => new AbortController().signal;

/** A gate over rules in memory, with everything it did. */
function open(more: Partial<GateDeps> = {}, saved: Rule[] = []) {
  const asked: [string, Approval][] = [];
  const journal: SessionGrants[] = [];
  const recorded: (readonly RecordedAnswer[])[] = [];
  let allow: Level = 'none';
  const gate = createGate({
    ask: ({ id }, approval) => void asked.push([id, approval]),
    record: (answers) => void recorded.push(answers),
    rules: () => ({ rules: saved, broken: [], notices: [] }),
    save: (made) => {
      saved.push(made);
      return ok(made);
    },
    allow: () => allow,
    interactive: () => true,
    context,
    now: () => 'now',
    always: 'project',
    timed: createTimedGrants(new ManualClock()),
    onGrants: (grants) => void journal.push(grants),
    ...more,
  });
  return { gate, asked, saved, journal, recorded, setAllow: (level: Level) => (allow = level) };
}

describe('a call that needs no person', () => {
  test('a refusal names the level that the call needs, not the usual one of its tool', async () => {
    const { gate } = open({ interactive: () => false, allow: () => 'moderate' });
    expect(await gate.pass({ ...call('1'), level: 'moderate' }, never())).toMatchObject({
      failure: { message: expect.stringContaining('--allow dangerous'), details: { tool: 'run', level: 'dangerous' } },
    });
  });

  test('passes by level or rule, or is denied, at once', async () => {
    const allow = rule('allow', { command: ['npm', 'test'] });
    const { gate, asked } = open({ interactive: () => false }, [allow, rule('deny', { command: ['git', 'push'] })]);
    expect(await gate.pass(call('1', pathIntent('read', 'none', 'a'), 'read_file'), never())).toMatchObject({
      decision: 'allow',
      answer: { by: 'level' },
    });
    expect(await gate.pass(call('2'), never())).toMatchObject({
      decision: 'allow',
      answer: { by: 'rule', rule: allow.id },
    });
    expect(await gate.pass(call('3', commandIntent('git push')), never())).toMatchObject({
      decision: 'deny',
      answer: { by: 'rule' },
      failure: { code: 'PERMISSION_DENIED' },
    });
    expect(await gate.pass(call('4', commandIntent('make')), never())).toMatchObject({
      decision: 'deny',
      answer: { by: 'host' },
      failure: {
        code: 'PERMISSION_REQUIRED',
        message: expect.stringContaining('--allow'),
        details: { tool: 'run', level: 'dangerous' },
      },
    });
    expect(asked).toEqual([]);
  });
});

describe('a call that waits', () => {
  test('once allows this call only', async () => {
    const { gate, asked, journal, recorded } = open();
    const passing = gate.pass(call('1'), never());
    expect(gate.waiting().map(({ call: { id } }) => id)).toEqual(['1']);
    expect(asked[0]?.[1]).toMatchObject({ askedAt: 'now', severe: false, rememberable: true });
    expect(gate.answer([{ call: '1', decision: 'once' }])).toEqual(ok(undefined));
    const answer = { at: 'now', decision: 'allow', by: 'user' };
    expect(await passing).toEqual({ decision: 'allow', answer, recorded: true });
    expect(recorded).toEqual([[{ call: '1', answer }]]);
    void gate.pass(call('2'), never());
    expect(gate.waiting().map(({ call: { id } }) => id)).toEqual(['2']);
    expect([journal, gate.grants()]).toEqual([[], { tools: [], rules: [] }]);
  });

  test('the verdicts, the text and the reason travel with the answer', async () => {
    const { gate } = open();
    const passing = gate.pass(call('1'), never());
    const verdicts = [{ path: 'a', keep: [0] }];
    gate.answer([{ call: '1', decision: 'once', verdicts, answer: 'blue', reason: 'because' }]);
    expect(await passing).toEqual({
      decision: 'allow',
      answer: { at: 'now', decision: 'allow', by: 'user', reason: 'because', verdicts, text: 'blue' },
      recorded: true,
    });
  });

  test('a denial carries the reason to the model', async () => {
    const { gate } = open();
    const passing = gate.pass(call('1'), never());
    gate.answer([{ call: '1', decision: 'deny', reason: 'use yarn' }]);
    expect(await passing).toEqual({
      decision: 'deny',
      answer: { at: 'now', decision: 'deny', by: 'user', reason: 'use yarn' },
      failure: { code: 'PERMISSION_DENIED', message: 'The person denied this: use yarn' },
      recorded: true,
    });
  });

  test('session keeps a rule in memory, releases what else it covers, and can be taken back', async () => {
    const { gate, saved, journal } = open();
    const first = gate.pass(call('1'), never());
    const second = gate.pass(call('2', commandIntent('npm test -- x')), never());
    const third = gate.pass(call('3', commandIntent('make')), never());
    gate.answer([{ call: '1', decision: 'session' }]);
    expect(await first).toMatchObject({ decision: 'allow', answer: { by: 'user', rule: expect.any(String) } });
    expect(await second).toMatchObject({ decision: 'allow', answer: { by: 'rule' } });
    expect(gate.waiting().map(({ call: { id } }) => id)).toEqual(['3']);
    expect(saved).toEqual([]);
    const [kept] = gate.grants().rules;
    expect(kept && ruleText(kept)).toBe('allow command npm test');
    expect(kept).toMatchObject({ scope: 'session', from: '1', createdAt: 'now' });
    expect(journal).toEqual([gate.grants()]);
    expect(gate.revoke(kept?.id ?? '')).toBe(true);
    expect(gate.revoke(kept?.id ?? '')).toBe(false);
    void gate.pass(call('4'), never());
    expect(gate.waiting()).toHaveLength(2);
    gate.answer([{ call: '3', decision: 'deny' }]);
    await third;
  });

  test('always saves first, and allows only what was saved', async () => {
    let full = true;
    const saved: Rule[] = [];
    const { gate } = open(
      {
        save: (made) => {
          if (full) return fail('DISK_FULL', 'no room');
          saved.push(made);
          return ok(made);
        },
      },
      saved,
    );
    const passing = gate.pass(call('1'), never());
    expect(gate.answer([{ call: '1', decision: 'always' }])).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } });
    expect(gate.waiting()).toHaveLength(1);
    full = false;
    expect(gate.answer([{ call: '1', decision: 'always' }])).toEqual(ok(undefined));
    expect(await passing).toMatchObject({ decision: 'allow' });
    expect(saved).toMatchObject([{ effect: 'allow', scope: 'project', match: { command: ['npm', 'test'] } }]);
    expect(await gate.pass(call('2'), never())).toMatchObject({ answer: { by: 'rule' } });
  });

  test('a compound line needs all suggestions, and gets them', async () => {
    const { gate, saved } = open();
    const line = commandIntent('npm run build && cat a > out');
    const passing = gate.pass(call('1', line), never());
    gate.answer([{ call: '1', decision: 'always' }]);
    await passing;
    expect(saved.map(ruleText)).toEqual(['allow command npm run build', 'allow command cat', 'allow path out']);
    expect(await gate.pass(call('2', line), never())).toMatchObject({ decision: 'allow', answer: { by: 'rule' } });
  });

  test('the person may choose another rule, but only one that allows', async () => {
    const { gate, saved } = open();
    const passing = gate.pass(call('1'), never());
    expect(gate.answer([{ call: '1', decision: 'always', rule: rule('deny', { tool: 'run' }) }])).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
    gate.answer([{ call: '1', decision: 'always', rule: { ...rule('allow', { command: ['npm'] }), scope: 'user' } }]);
    await passing;
    expect(saved).toMatchObject([{ scope: 'user', match: { command: ['npm'] } }]);
  });

  test('C4, P12: what may only be allowed once cannot be remembered', async () => {
    const { gate, asked, saved } = open();
    const passing = gate.pass(call('1', commandIntent('rm -rf /')), never());
    expect(asked[0]?.[1]).toMatchObject({ severe: true, rememberable: false, suggestions: [] });
    for (const decision of ['session', 'always'] as const) {
      expect(gate.answer([{ call: '1', decision, rule: rule('allow', { tool: 'run' }) }])).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION_ERROR' },
      });
    }
    gate.answer([{ call: '1', decision: 'once' }]);
    expect(await passing).toMatchObject({ decision: 'allow' });
    expect([saved, gate.grants()]).toEqual([[], { tools: [], rules: [] }]);
  });

  test('P12: once for a moderate call that no rule may cover is no leave for the tool', async () => {
    const { gate, asked } = open();
    const protectedWrite = (id: string) => call(id, pathIntent('write', 'moderate', '.git/config'), 'browser_open');
    const passing = gate.pass(protectedWrite('1'), never());
    expect(asked[0]?.[1]).toMatchObject({ rememberable: false });
    gate.answer([{ call: '1', decision: 'once' }]);
    expect(await passing).toMatchObject({ decision: 'allow' });
    void gate.pass(moderate('2'), never());
    expect([gate.waiting().map(({ call: { id } }) => id), gate.grants().tools]).toEqual([['2'], []]);
  });

  test('a moderate tool is asked once a session, also after a restart', async () => {
    const { gate } = open();
    const passing = gate.pass(moderate('1'), never());
    const other = gate.pass(moderate('2'), never());
    gate.answer([{ call: '1', decision: 'once' }]);
    expect(await passing).toMatchObject({ decision: 'allow' });
    expect(await other).toMatchObject({ decision: 'allow', answer: { by: 'user' } });
    const again = open({ granted: gate.grants() });
    expect(await again.gate.pass(moderate('3'), never())).toMatchObject({ decision: 'allow' });
  });

  test('answers that cannot be kept are none: all of the questions still wait', async () => {
    let isFull = true;
    const { gate } = open({
      record: () => {
        if (isFull) throw new Error('no space left');
      },
    });
    const both = Promise.all([gate.pass(call('1'), never()), gate.pass(call('2'), never())]);
    const answers = [
      { call: '1', decision: 'once' },
      { call: '2', decision: 'deny' },
    ] as const;
    expect(gate.answer(answers)).toMatchObject({ ok: false, error: { code: 'FILE_WRITE_ERROR' } });
    expect(gate.waiting().map(({ call: { id } }) => id)).toEqual(['1', '2']);
    isFull = false;
    expect(gate.answer(answers)).toEqual(ok(undefined));
    expect((await both).map(({ decision }) => decision)).toEqual(['allow', 'deny']);
  });

  test('an answer to nothing, and a second answer, are refused', async () => {
    const { gate } = open();
    const passing = gate.pass(call('1'), never());
    expect(gate.answer([{ call: 'x', decision: 'once' }])).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
    gate.answer([{ call: '1', decision: 'deny' }]);
    expect(gate.answer([{ call: '1', decision: 'once' }])).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(await passing).toMatchObject({ decision: 'deny' });
  });

  test('a stop ends the waiting', async () => {
    const { gate } = open();
    const stopping = new AbortController();
    const passing = gate.pass(call('1'), stopping.signal);
    stopping.abort();
    expect(await passing).toMatchObject({ decision: 'deny', answer: { by: 'host' }, failure: { code: 'CANCELLED' } });
    expect(gate.waiting()).toEqual([]);
    expect(await gate.pass(call('2'), stopping.signal)).toMatchObject({ failure: { code: 'CANCELLED' } });
    expect(gate.answer([{ call: '1', decision: 'once' }])).toMatchObject({ ok: false });
  });

  test('a raised level releases what waits, but not what is always asked', async () => {
    const { gate, setAllow } = open();
    const passing = gate.pass(call('1'), never());
    void gate.pass(call('2', commandIntent('rm -rf /')), never());
    setAllow('dangerous');
    gate.recheck();
    expect(await passing).toMatchObject({ decision: 'allow', answer: { by: 'level' } });
    expect(gate.waiting().map(({ call: { id } }) => id)).toEqual(['2']);
  });

  test('a failing question does not stay in the inbox', async () => {
    const { gate } = open({
      ask: () => {
        throw new Error('no inbox');
      },
    });
    await expect(gate.pass(call('1'), never())).rejects.toThrow('no inbox');
    expect(gate.waiting()).toEqual([]);
  });

  test('the same call asked again replaces the first question', async () => {
    const { gate } = open();
    const first = gate.pass(call('1'), never());
    const second = gate.pass(call('1'), never());
    expect(await first).toMatchObject({ failure: { code: 'CANCELLED' } });
    gate.answer([{ call: '1', decision: 'once' }]);
    expect(await second).toMatchObject({ decision: 'allow' });
  });
});

describe('an answer for an hour', () => {
  const minute = 60_000;
  const tests = (id: string, more: Partial<Intent> = {}, tool = 'run_tests'): GateCall =>
    call(id, { ...commandIntent('npm test'), standing: { place: '/home/u/proj', asked: true }, ...more }, tool);

  test('allows the tool in that folder until the time is over, for every session of the project', async () => {
    const clock = new ManualClock(Date.parse('2026-01-01T10:00:00Z'));
    const timed = createTimedGrants(clock);
    const { gate, asked } = open({ timed });
    const first = gate.pass(tests('1'), never());
    const beside = gate.pass(tests('2', { standing: { place: '/home/u/proj', asked: false } }), never());
    expect(asked.map(([, { offer }]) => offer)).toEqual([{ place: '/home/u/proj', minutes: 60 }, undefined]);
    expect(gate.answer([{ call: '1', decision: 'hour' }])).toEqual(ok(undefined));
    const until = '2026-01-01T11:00:00.000Z';
    expect((await first).answer).toEqual({ at: 'now', decision: 'allow', by: 'user', until });
    expect((await beside).answer).toMatchObject({ by: 'user', reason: expect.stringContaining(until) });
    clock.advance(60 * minute - 1);
    const { gate: other } = open({ timed, interactive: () => false });
    expect(await other.pass(tests('3'), never())).toMatchObject({ decision: 'allow' });
    clock.advance(1);
    expect(await other.pass(tests('4'), never())).toMatchObject({ failure: { code: 'PERMISSION_REQUIRED' } });
  });

  test('allows no other tool, folder or command, and nothing that a rule forbids or a limit asks', async () => {
    const timed = createTimedGrants(new ManualClock());
    timed.give('run_tests', '/home/u/proj');
    const { gate } = open({ timed, interactive: () => false }, [rule('deny', { command: ['make'] })]);
    const other = [
      tests('1', {}, 'build'),
      tests('2', { standing: { place: '/home/u/proj/sub', asked: true } }),
      call('3', commandIntent('curl x | sh'), 'run_tests'),
      tests('4', { targets: commandIntent('make test').targets }),
      tests('5', { targets: commandIntent('rm -rf /').targets }),
    ];
    for (const one of other) expect(await gate.pass(one, never())).toMatchObject({ decision: 'deny' });
    expect(await gate.pass(tests('6'), never())).toMatchObject({ decision: 'allow' });
  });

  test('is no answer where nothing was offered: not asked for, always asked, asked by a rule', async () => {
    const { gate, asked } = open({}, [rule('ask', { command: ['make'] })]);
    const waiting = [
      gate.pass(tests('1', { standing: { place: '/home/u/proj', asked: false } }), never()),
      gate.pass(tests('2', { targets: commandIntent('rm -rf ~').targets }), never()),
      gate.pass(tests('3', { targets: commandIntent('make').targets }), never()),
    ];
    expect(asked.map(([, { offer }]) => offer)).toEqual([undefined, undefined, undefined]);
    for (const id of ['1', '2', '3']) {
      expect(gate.answer([{ call: id, decision: 'hour' }])).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
      gate.answer([{ call: id, decision: 'deny' }]);
    }
    for (const passing of waiting) expect(await passing).toMatchObject({ decision: 'deny' });
  });

  test('can be taken back', () => {
    const timed = createTimedGrants(new ManualClock());
    const { id } = timed.give('run_tests', '/p');
    expect([timed.revoke(id), timed.revoke(id), timed.list()]).toEqual([true, false, []]);
  });
});

describe('C5: what is shown is what runs', () => {
  const shown = { command: 'npm test', cwd: context.project };
  const preview = { kind: 'command', mode: 'shell', ...shown, hash: commandHash(shown) } as const;
  const withPreview = (more: object): Intent => ({ ...commandIntent('npm test'), preview: { ...preview, ...more } });

  test('a true preview passes', async () => {
    const { gate, setAllow } = open();
    setAllow('dangerous');
    expect(await gate.pass(call('1', withPreview({})), never())).toMatchObject({ decision: 'allow' });
  });

  test.each([{ hash: '0'.repeat(64) }, { command: 'npm tset' }, { cwd: '/' }, { argv: ['npm'] }, { env: { A: '1' } }])(
    'a preview with another %j does not',
    async (more) => {
      const { gate, setAllow } = open();
      setAllow('dangerous');
      expect(await gate.pass(call('1', withPreview(more)), never())).toMatchObject({ failure: { code: 'STALE' } });
    },
  );

  test('nor does a target that is not the shown command', async () => {
    const { gate, setAllow } = open();
    setAllow('dangerous');
    const intent: Intent = {
      ...withPreview({}),
      targets: [{ kind: 'command', command: 'rm x', cwd: context.project }],
    };
    expect(await gate.pass(call('1', intent), never())).toMatchObject({ failure: { code: 'STALE' } });
  });
});
