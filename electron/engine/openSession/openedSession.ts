import { join } from 'node:path';
import type { Approval } from '../../../shared/model/call.ts';
import { covers } from '../../../shared/model/level.ts';
import { rehearsalCall } from '../../../shared/model/rehearsal.ts';
import { isoTime } from '../base/clock.ts';
import type { AgentWaker } from '../builds/wakeAgent.ts';
import { type CallStages, createCallStages } from '../edits/callStages.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import { createGate, type Gate, type GateCall } from '../permission/gate.ts';
import type { RecordedAnswer } from '../permission/personsAnswer.ts';
import { ruleId } from '../permission/rules/suggest.ts';
import { createSessionRehearsal, type SessionRehearsal } from '../rehearsal/sessionRehearsal.ts';
import { createCallContext, type LastRead } from '../session/callContext.ts';
import { createQuestions, type Questions } from '../session/questions.ts';
import type { Session } from '../session/session.ts';
import { createSessionHooks, type SessionHooks } from '../session/sessionHooks.ts';
import { contentIdsIn } from '../storage/contentIds.ts';
import type { CallContext } from '../tools/frame/runTool.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import { type Contents, createContents } from '../workspace/contents.ts';
import { createFileHands, type FileHands } from '../workspace/hands.ts';
import type { Subagents } from './subagents.ts';
import { type BuildDeps, watchBuilds } from './watchBuilds.ts';

/** What the calls of a session need, whoever makes them: where they wait, and the only hands that write for it. */
export interface OpenedSession {
  readonly session: Session;
  readonly project: OpenedProject;
  readonly gate: Gate;
  readonly questions: Questions;
  readonly hooks: SessionHooks;
  readonly stages: CallStages;
  readonly rehearsal: SessionRehearsal;
  readonly waker: AgentWaker;
  readonly contents: Contents;
  readonly hands: FileHands;
  /** What the model has read with its last request. */
  readonly lastRead: LastRead;
  /** What the calls of a turn run in. `toolset` is asked at each use: tools may come while the turn runs. */
  callContext(turn: string, toolset: () => Toolset): CallContext;
  /** Ends what watches and tries for the session. */
  close(): void;
}

/** Who answers what the calls of a session ask. */
export interface Answerer {
  /** Puts a question; the answer comes through the gate, or through the questions where the agent wants words. */
  ask(call: GateCall, approval: Approval): void;
  /** Without it, what would be asked is denied. */
  readonly permits: boolean;
  /** Whether the answer can be words. Without it, a question of the agent is refused. */
  readonly answersInWords: boolean;
}

export interface OpenSessionDeps extends BuildDeps {
  /** Other than those in the session's own folder. */
  readonly contents?: Contents;
  /** Absent where calls are made outside a conversation. */
  readonly subagents?: Subagents;
}

/** At its cap it makes room by what the journal does not name. */
function contentsOf({ folder }: Session, project: OpenedProject): Contents {
  return createContents({
    folder: join(folder, 'contents'),
    maxBytes: project.settings().storage.maxContentMb * 1024 * 1024,
    liveIds: async () => contentIdsIn(join(folder, 'journal.jsonl')),
  });
}

/** The one place that builds what a call needs: for a turn, for a call outside a conversation, for an external client. */
export function openSession(
  session: Session,
  project: OpenedProject,
  answerer: Answerer,
  deps: OpenSessionDeps,
): OpenedSession {
  const { ports, tasks, contents = contentsOf(session, project) } = deps;
  const { clock, log } = ports;
  const hands = createFileHands({ sandbox: project.sandbox, contents, records: project.records, session: session.id });
  const stages = createCallStages(hands, session.emit, () => rehearsal.changed());
  const ask = (call: GateCall, approval: Approval): void => {
    answerer.ask(call, approval);
    stages.ask(call.id);
  };
  const record = (answers: readonly RecordedAnswer[]): void => {
    session.emitTogether(answers.map(({ call, answer }) => ({ type: 'permission.answered', call, answer })));
    for (const { call, answer } of answers) stages.decide(call, answer.together);
  };
  const gate = createGate({
    ask,
    record,
    rules: () => project.rules(),
    save: (rule) => project.ruleStore.save(rule),
    allow: () => project.allowed(covers(session.state.allow, ports.allow) ? session.state.allow : ports.allow),
    // A project that lowers what runs unasked lowers this too; one that nobody trusts may have told the agent what to write.
    appliesEdits: () =>
      session.state.appliesEdits &&
      covers(project.allowed('dangerous'), 'dangerous') &&
      project.steersNothing().then((steersNothing) => steersNothing || 'restricted'),
    interactive: () => answerer.permits,
    context: project.ruleContext,
    now: () => isoTime(clock),
    always: 'project',
    timed: project.timed,
    granted: session.state.grants,
    onGrants: ({ tools, rules }) => session.emit({ type: 'permission.granted', tools, rules }),
  });
  const questions = createQuestions({
    clock,
    put: ask,
    record,
    interactive: answerer.answersInWords,
    given: ports.answer,
  });
  const lastRead: LastRead = {};
  const hooks = createSessionHooks(session, project.hooks, project.path);
  const rehearsal = createSessionRehearsal({
    gate,
    proposal: stages.proposal,
    look: project.look,
    settings: () => project.settings(),
    tasks: tasks.port(project.path),
    run: (request, signal) => tasks.run(session, request, { id: rehearsalCall, signal }),
    async forgetRuns() {
      const executor = await tasks.executor(project.path);
      for (const { id, call } of Object.values(session.state.tasks)) if (call === rehearsalCall) executor.remove(id);
    },
    tell: (state) => session.emit({ type: 'change.rehearsed', rehearsal: state }),
    save: (rule) => {
      const made = { ...rule, scope: 'project', createdAt: isoTime(clock), from: 'rehearsal' } as const;
      return project.ruleStore.save({ ...made, id: ruleId(made, 'project') });
    },
    trusted: () => project.trusted(),
    known: project.knownRuns,
    folder: join(ports.places.state, 'rehearsals'),
    clock,
    log,
  });
  const builds = watchBuilds(session, project, contents, gate, deps);
  return {
    session,
    project,
    waker: builds.waker,
    close() {
      builds.dispose();
      rehearsal.dispose();
    },
    gate,
    questions,
    hooks,
    stages,
    rehearsal,
    contents,
    hands,
    lastRead,
    callContext: (turn, toolset) =>
      createCallContext({
        session,
        turn,
        toolset: newest(toolset),
        look: project.look,
        fileHands: hands,
        contents,
        gate,
        questions,
        stages,
        hooks,
        subagents: deps.subagents?.accessOf(session, turn),
        lastRead,
        log,
        remarks: rehearsal.remarks,
        runCommand: (request, call) => tasks.run(session, request, call),
      }),
  };
}

/** A toolset that is looked up at each use. */
function newest(toolset: () => Toolset): Toolset {
  return {
    get tools() {
      return toolset().tools;
    },
    find: (name) => toolset().find(name),
    nearest: (name) => toolset().nearest(name),
  };
}
