import type { Approval } from '../../shared/model/call.ts';
import type { SessionEvent } from '../../shared/model/event.ts';
import type { Intent } from '../../shared/model/intent.ts';
import type { FakeHost } from './fakeHost.ts';
import { ago, changeOf, lanes, project } from './sceneParts.ts';
import { after, approvalOf, before, edits, runs } from './scenes.ts';

/** Another session that waits with a command, a red one and a question. */
export function playApproval(host: FakeHost, id: string): void {
  host.emit(
    id,
    {
      type: 'session.started',
      id,
      project,
      title: 'Release 1.2.1',
      mode: 'direct',
      provider: 'ollama',
      model: 'qwen3-coder:30b',
    },
    ago(400),
  );
  host.emit(id, { type: 'turn.started', turn: 't1', text: 'Cut the release and clean up the old builds.' }, ago(120));
  const ask = (call: string, intent: Intent, approval: Approval): void => {
    host.emit(
      id,
      { type: 'tool.proposed', call, turn: 't1', tool: 'run', level: 'dangerous', input: {}, intent },
      ago(90),
    );
    host.emit(id, { type: 'permission.asked', call, approval }, ago(90));
  };
  ask('a1', runs("npm version patch -m 'Release %s' && git push --follow-tags"), approvalOf(['npm', 'version']));
  ask('a2', runs('rm -rf "$BUILD_DIR"/* # \u202Egnp.exe\u001b[2K'), {
    ...approvalOf(['rm'], true),
    reasons: ['It deletes whatever a variable names', 'This kind is always asked'],
  });
  ask(
    'a3',
    {
      risk: 'none',
      effects: [],
      targets: [],
      summary: 'Ask the person',
      preview: { kind: 'question', question: 'Shall the changelog name the reporter of the bug?' },
    },
    {
      askedAt: ago(12),
      reasons: [],
      severe: false,
      rememberable: false,
      suggestions: [],
    },
  );
}

/** A finished session whose change can be taken back, and which met a phase gate and a rate limit on its way. */
export function playDone(host: FakeHost, id: string): void {
  const say = (event: SessionEvent, seconds: number): void => host.emit(id, event, ago(seconds));
  say(
    {
      type: 'session.started',
      id,
      project,
      title: 'Fold accents before matching',
      mode: 'phased',
      provider: 'ollama',
      model: 'qwen3-coder:30b',
    },
    5400,
  );
  say({ type: 'turn.started', turn: 't1', text: 'Accents should be folded before letters are matched.' }, 5300);
  say({ type: 'phase.changed', from: 'IDLE', to: 'EXPLORING', cause: 'a new task' }, 5299);
  say(
    {
      type: 'tool.proposed',
      call: 'd0',
      turn: 't1',
      tool: 'run',
      level: 'dangerous',
      input: { command: 'echo x > y' },
      intent: runs('echo x > y'),
    },
    5298,
  );
  say(
    {
      type: 'tool.finished',
      call: 'd0',
      tool: 'run',
      result: {
        success: false,
        error: {
          code: 'PHASE_FORBIDDEN',
          message: 'Exploring allows no writes. Use the tools of this phase, or report to move on.',
        },
      },
    },
    5298,
  );
  say(
    {
      type: 'notice',
      level: 'warning',
      code: 'PROVIDER_RATE_LIMITED',
      text: 'The provider asks for a pause (429). The same turn goes on afterwards.',
      until: ago(-42),
    },
    5290,
  );
  say({ type: 'phase.changed', from: 'EXPLORING', to: 'PATCHING', cause: 'report_plan' }, 5280);
  say(
    {
      type: 'tool.proposed',
      call: 'd1',
      turn: 't1',
      tool: 'edit_file',
      level: 'dangerous',
      input: { filePath: 'src/slug.ts' },
      intent: edits('src/slug.ts', before, after),
    },
    5270,
  );
  say({ type: 'permission.asked', call: 'd1', approval: approvalOf(['x']) }, 5270);
  say({ type: 'permission.answered', call: 'd1', answer: { at: ago(5200), decision: 'allow', by: 'user' } }, 5200);
  say({ type: 'tool.started', call: 'd1' }, 5200);
  const { before: b, after: a } = changeOf('src/slug.ts', before, after);
  say(
    {
      type: 'change.applied',
      changeSet: 'g1',
      call: 'd1',
      turn: 't1',
      files: [
        {
          path: 'src/slug.ts',
          status: 'modified',
          before: b,
          after: a,
          additions: 3,
          deletions: 6,
          verdict: 'partial',
        },
      ],
    },
    5200,
  );
  say({ type: 'tool.finished', call: 'd1', tool: 'edit_file', result: { success: true, data: { files: 1 } } }, 5199);
  say({ type: 'phase.changed', from: 'PATCHING', to: 'VERIFYING', cause: 'all steps done' }, 5190);
  say(
    {
      type: 'message',
      turn: 't1',
      role: 'assistant',
      text: 'Accents are folded now. One hunk was left out as you asked; the tests pass.',
    },
    5100,
  );
  say({ type: 'phase.changed', from: 'VERIFYING', to: 'DONE', cause: 'report_done' }, 5100);
  say({ type: 'turn.finished', turn: 't1', outcome: 'done', text: '' }, 5100);
}

/** Two sessions in lanes of the project: one at work, one that waits to be brought home. */
export function playLanes(host: FakeHost): void {
  for (const { name, session, folder, home, branch } of lanes) {
    const lane = { name, home, branch };
    const title = name === 'typed-api' ? 'Give the API types' : 'Drop the polyfill';
    const started = {
      project: folder,
      lane,
      title,
      mode: 'phased',
      provider: 'ollama',
      model: 'qwen3-coder:30b',
    } as const;
    if (session === null) continue;
    host.emit(session, { type: 'session.started', id: session, ...started }, ago(900));
    host.emit(session, { type: 'turn.started', turn: 't1', text: title }, ago(890));
    if (name === 'typed-api') continue;
    host.emit(session, { type: 'turn.finished', turn: 't1', outcome: 'done', text: '' }, ago(300));
  }
}
