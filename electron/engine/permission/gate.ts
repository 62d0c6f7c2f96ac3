import type { Answer, Approval } from '../../../shared/model/call.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import type { Level } from '../../../shared/model/level.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';
import { commandHash } from './commandHash.ts';
import { type AppliesEdits, type Evaluation, evaluate, type Question, type RuleContext } from './evaluate.ts';
import { type GivenAhead, questionOf, sameQuestion } from './givenAhead.ts';
import { cancelled, type GateOutcome, outcomeOf, refused } from './outcomes.ts';
import { type AnswerDeps, outcomeBy, type PersonsAnswer, type RecordedAnswer } from './personsAnswer.ts';
import { deniedPaths, type Reader } from './rules/deniedPaths.ts';
import type { LoadedRules } from './rules/ruleStore.ts';

/** A call at the gate, as the person would see it. */
export interface GateCall {
  readonly id: string;
  readonly tool: string;
  readonly category: string;
  readonly level: Level;
  readonly intent: Intent;
  /** Why the person is to be asked whatever rules allow: a hook wants it. */
  readonly objection?: string | undefined;
}

/** What the gate depends on. */
export interface GateDeps extends AnswerDeps {
  /** Puts the question before the person. The answer comes through `gate.answer`, minutes or days later. */
  ask(call: GateCall, approval: Approval): void;
  /** The rules of all files, read anew. */
  rules(): LoadedRules;
  allow(): Level;
  /** Looked at for each call, since trust may end meanwhile; false at once where the person does not want it. */
  appliesEdits?(): false | Promise<AppliesEdits>;
  interactive(): boolean;
  readonly context: RuleContext;
  /** What was granted before a restart. */
  readonly granted?: SessionGrants;
  /** Keeps what the person said. Throws when it cannot be kept. */
  record(answers: readonly RecordedAnswer[]): void;
  /** Called whenever grants changed, for the journal. */
  onGrants?(grants: SessionGrants): void;
}

export interface SessionGrants {
  /** Moderate tools that were allowed once. */
  readonly tools: readonly string[];
  readonly rules: readonly Rule[];
}

export interface Gate {
  /**
   * Waits as long as it takes; ends early only by the signal (CANCELLED). `given` counts only where the same would be
   * shown, for the same reasons, or nobody would have to be asked any more.
   */
  pass(call: GateCall, signal: AbortSignal, given?: GivenAhead): Promise<GateOutcome>;
  /**
   * The answers to one or several questions: facts, all of them or none, before any of the calls goes on. Errors:
   * VALIDATION_ERROR (no such question, or an answer that may not be given to it), CONFLICT (answered already), those of
   * saving a rule, FILE_WRITE_ERROR (it cannot be kept); the questions then still wait.
   */
  answer(answers: readonly (PersonsAnswer & { readonly call: string })[]): Result<void>;
  /** What would become of the call, if nobody had to be asked first. Asks and records nothing. */
  judge(call: GateCall): Evaluation;
  /** What a person would be asked about the call now; undefined where nobody would be. */
  question(call: GateCall): Approval | undefined;
  /** Which paths (relative to the project) deny rules keep this tool from reading; undefined when there are no such rules. */
  deniedPaths(reader: Reader): ((path: string) => boolean) | undefined;
  /** Nobody can be asked after all: the call ends as it would have with nobody there. */
  unanswerable(call: string): void;
  /** Looks at every waiting question again, after rules, grants or the allowed level changed. */
  recheck(): void;
  waiting(): readonly { readonly call: GateCall; readonly approval: Approval }[];
  grants(): SessionGrants;
  /** Takes a rule of this session back. False when there is no such rule. */
  revoke(ruleId: string): boolean;
}

interface Waiting {
  readonly call: GateCall;
  readonly approval: Approval;
  readonly settle: (outcome: GateOutcome) => void;
}

/** How many answered calls are remembered, to tell "answered already" from "unknown". */
const rememberedAnswers = 1_000;

/** What one gate keeps: what waits, and this session's grants; the session journals both. */
interface GateState {
  readonly waiting: Map<string, Waiting>;
  readonly answered: Set<string>;
  readonly tools: Set<string>;
  rules: readonly Rule[];
}

/** The one place where calls wait for permission. */
export function createGate(deps: GateDeps): Gate {
  const state: GateState = {
    waiting: new Map(),
    answered: new Set(),
    tools: new Set(deps.granted?.tools),
    rules: deps.granted?.rules ?? [],
  };
  return {
    pass: (call, signal, given) => pass(state, deps, call, signal, given),
    answer: (answers) => answer(state, deps, answers),
    unanswerable(id) {
      const entry = state.waiting.get(id);
      if (entry)
        settle(state, id, outcomeOf(judge(state, deps, entry.call, { interactive: false }), deps.now(), entry.call));
    },
    judge: (call) => judge(state, deps, call, { interactive: true }),
    question(call) {
      const evaluation = judge(state, deps, call);
      return evaluation.verdict === 'ask' ? questionOf(evaluation, call.intent, deps) : undefined;
    },
    deniedPaths: (reader) => deniedPaths([...deps.rules().rules, ...state.rules], reader),
    recheck: () => recheck(state, deps),
    waiting: () => [...state.waiting.values()].map(({ call, approval }) => ({ call, approval })),
    grants: () => grantsOf(state),
    revoke(id) {
      const left = state.rules.filter((rule) => rule.id !== id);
      if (left.length === state.rules.length) return false;
      state.rules = left;
      deps.onGrants?.(grantsOf(state));
      return true;
    },
  };
}

const grantsOf = ({ tools, rules }: GateState): SessionGrants => ({ tools: [...tools], rules });

function judge(
  { rules, tools }: GateState,
  deps: GateDeps,
  { intent, tool, category, level, objection }: GateCall,
  {
    interactive = deps.interactive(),
    appliesEdits = false,
  }: Pick<Partial<Question>, 'interactive' | 'appliesEdits'> = {},
): Evaluation {
  const loaded = deps.rules();
  const grant = intent.standing && deps.timed.find(tool, intent.standing.place);
  return evaluate({
    intent,
    tool,
    category,
    level,
    rules: [...loaded.rules, ...rules],
    brokenRules: loaded.broken,
    objection,
    allow: deps.allow(),
    appliesEdits,
    sessionGrants: tools,
    grantedUntil: grant?.expiresAt,
    interactive,
    context: deps.context,
  });
}

function settle({ waiting, answered }: GateState, id: string, outcome: GateOutcome): void {
  const entry = waiting.get(id);
  waiting.delete(id);
  answered.add(id);
  for (const old of answered) {
    if (answered.size <= rememberedAnswers) break;
    answered.delete(old);
  }
  entry?.settle(outcome);
}

function recheck(state: GateState, deps: GateDeps): void {
  recheckWith(state, deps, false);
  const wanted = deps.appliesEdits?.() ?? false;
  if (wanted !== false) void wanted.then((appliesEdits) => recheckWith(state, deps, appliesEdits));
}

function recheckWith(state: GateState, deps: GateDeps, appliesEdits: AppliesEdits): void {
  for (const { call } of [...state.waiting.values()]) {
    const evaluation = judge(state, deps, call, { appliesEdits });
    // A question that is already before the person is not taken away by a denial for want of a person.
    if (evaluation.verdict === 'allow' || (evaluation.verdict === 'deny' && evaluation.by === 'rule'))
      settle(state, call.id, outcomeOf(evaluation, deps.now(), call));
  }
}

async function pass(
  state: GateState,
  deps: GateDeps,
  call: GateCall,
  signal: AbortSignal,
  given?: GivenAhead,
): Promise<GateOutcome> {
  if (signal.aborted) return cancelled(deps.now());
  if (!shownIsRun(call.intent))
    return refused(deps.now(), 'STALE', 'What is shown is not what would run; the call was not started.');
  const wanted = deps.appliesEdits?.() ?? false;
  const appliesEdits = wanted === false ? wanted : await wanted;
  if (signal.aborted) return cancelled(deps.now());
  const evaluation = judge(state, deps, call, { appliesEdits });
  if (evaluation.verdict === 'allow' && given) return given.outcome;
  if (evaluation.verdict !== 'ask') return outcomeOf(evaluation, deps.now(), call);
  const approval = questionOf(evaluation, call.intent, deps);
  if (given && sameQuestion(given, { intent: call.intent, approval })) return given.outcome;
  const { promise, resolve } = Promise.withResolvers<GateOutcome>();
  const stop = () => settle(state, call.id, cancelled(deps.now()));
  signal.addEventListener('abort', stop, { once: true });
  // The same call twice would leave the first promise hanging for ever.
  state.waiting.get(call.id)?.settle(cancelled(deps.now()));
  state.answered.delete(call.id);
  state.waiting.set(call.id, { call, approval, settle: resolve });
  try {
    deps.ask(call, approval);
    return await promise;
  } catch (error) {
    state.waiting.delete(call.id);
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function answer(
  state: GateState,
  deps: GateDeps,
  answers: readonly (PersonsAnswer & { readonly call: string })[],
): Result<void> {
  const judged: { readonly entry: Waiting; readonly outcome: GateOutcome }[] = [];
  for (const given of answers) {
    const entry = state.waiting.get(given.call);
    if (!entry)
      return state.answered.has(given.call)
        ? fail('CONFLICT', 'This question has been answered already.')
        : fail('VALIDATION_ERROR', `No question waits for the call ${given.call}.`);
    const outcome = outcomeBy(given, entry, deps, (made) => {
      state.rules = [...state.rules.filter(({ id }) => !made.some((rule) => rule.id === id)), ...made];
    });
    if (!outcome.ok) return outcome;
    judged.push({ entry, outcome: outcome.value });
  }
  try {
    deps.record(judged.map(({ entry, outcome }) => ({ call: entry.call.id, answer: outcome.answer })));
  } catch (error) {
    return fail('FILE_WRITE_ERROR', `The answer cannot be kept, so nothing was done: ${describeError(error)}`);
  }
  let isRemembered = false;
  let isForAWhile = false;
  for (const { entry, outcome } of judged) {
    const { call, approval } = entry;
    if (outcome.decision === 'allow') {
      const { rule, until }: Answer = outcome.answer;
      // Once is once a session for moderate tools, but never where the question itself is special.
      if (call.intent.risk === 'moderate' && approval.rememberable) state.tools.add(call.tool);
      isRemembered ||= call.intent.risk === 'moderate' || rule !== undefined;
      isForAWhile ||= until !== undefined;
    }
    settle(state, call.id, { ...outcome, recorded: true });
  }
  if (isRemembered) deps.onGrants?.(grantsOf(state));
  if (isRemembered || isForAWhile) recheck(state, deps);
  return ok(undefined);
}

/** The hash of a command preview must be that of what is shown, and the target must be the shown command (C5). */
export function shownIsRun({ preview, targets }: Intent): boolean {
  if (preview.kind !== 'command') return true;
  if (commandHash(preview) !== preview.hash) return false;
  return targets.every(
    (target) =>
      target.kind !== 'command' ||
      (target.command === preview.command &&
        target.cwd === preview.cwd &&
        JSON.stringify(target.argv ?? null) === JSON.stringify(preview.argv ?? null)),
  );
}
