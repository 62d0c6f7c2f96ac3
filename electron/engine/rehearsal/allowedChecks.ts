import type { Check, TriedCheck } from '../../../shared/model/rehearsal.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import { commandHash } from '../permission/commandHash.ts';
import type { Gate } from '../permission/gate.ts';
import { planCommand } from '../tools/shell/commandIntent.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import type { Look } from '../workspace/look.ts';

/** A check with what the gate says of it. `runs`: nobody has to be asked. */
export interface JudgedCheck {
  readonly check: Check;
  readonly state: 'runs' | 'asks' | 'denied' | 'failed';
  readonly why?: string;
  /** What the person's word is bound to. */
  readonly hash: string;
  /** The rules that let it run from now on; none where it may only be allowed now. */
  readonly rules: readonly Rule[];
}

/**
 * What may run of these checks: each is a command, judged by the same rules as one that the model asks for. `allowed`: the
 * hashes that the person has allowed. Rules count only where `rulesCount`; a denial always does.
 */
export async function judgeChecks(
  checks: readonly Check[],
  {
    look,
    tasks,
    gate,
    allowed,
    rulesCount,
  }: {
    readonly look: Look;
    readonly tasks: TaskPort;
    readonly gate: Pick<Gate, 'judge'>;
    readonly allowed: ReadonlySet<string>;
    readonly rulesCount: boolean;
  },
): Promise<readonly JudgedCheck[]> {
  return Promise.all(
    checks.map(async (check): Promise<JudgedCheck> => {
      const planned = await planCommand({ command: check.command }, look, tasks);
      if (!planned.ok) return { check, state: 'failed', why: planned.error.message, hash: '', rules: [] };
      const { preview, ...rest } = planned.value.intent;
      if (preview.kind !== 'command') return { check, state: 'failed', hash: '', rules: [] };
      const { verdict, suggestions, rememberable, why } = gate.judge({
        id: 'rehearsal',
        tool: 'run',
        category: 'shell',
        level: 'dangerous',
        intent: { ...rest, preview },
      });
      const hash = commandHash(preview);
      const rules = rememberable ? suggestions : [];
      if (verdict === 'deny') return { check, state: 'denied', why: why[0], hash, rules };
      const runs = allowed.has(hash) || (verdict === 'allow' && rulesCount);
      return { check, state: runs ? 'runs' : 'asks', hash, rules };
    }),
  );
}

/** As it is shown before it has run. */
export function untried({ check, state, why }: JudgedCheck): TriedCheck {
  return { ...check, state: state === 'runs' ? 'waiting' : state, why, errors: 0, warnings: 0 };
}
