import type { Intent } from '../../../shared/model/intent.ts';
import { type ParseOptions, parseLine } from '../shell/parse/parseLine.ts';
import { isReadOnly } from '../shell/readOnly.ts';
import type { ProtectedPath } from './danger/danger.ts';
import { evaluate } from './evaluate.ts';

export interface InspectedCommand {
  /** The simple commands in the order of their first word; tests in brackets and bare redirections are not listed. */
  readonly parts: readonly { readonly argv: readonly string[] }[];
  readonly readOnly: boolean;
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly why: readonly string[];
}

export interface InspectOptions extends ParseOptions {
  readonly protectedPath: ProtectedPath;
  readonly cwd?: string;
  readonly home?: string;
}

const readOnlyWords = [
  'every part is known to only read, so that phases which only read let it run',
  'a call of a session is asked all the same: dangerous tools are asked each time',
] as const;

/**
 * What the permission rules make of a command by itself, without rules, grants or `--allow`, and with a person to ask:
 * `allow` when it is proven to only read (level none), `ask` for everything else, hard limits included; `deny` cannot
 * occur, because only a rule or an absent person denies. The shell tools themselves are dangerous and asked each time,
 * whatever the command; this is the part of the decision that depends on the command.
 */
export function inspectCommand(command: string, options: InspectOptions): InspectedCommand {
  const { protectedPath, cwd = '/project', home, platform } = options;
  const parsed = parseLine(command, platform === undefined ? {} : { platform });
  const readOnly = isReadOnly(command, platform === undefined ? {} : { platform });
  const intent: Intent = {
    risk: readOnly ? 'none' : 'dangerous',
    effects: ['executes'],
    targets: [{ kind: 'command', command, cwd }],
    summary: command,
    preview: { kind: 'none' },
  };
  const { verdict, why } = evaluate({
    intent,
    tool: 'run',
    category: 'system',
    rules: [],
    allow: 'none',
    sessionGrants: new Set(),
    interactive: true,
    context: {
      project: cwd,
      protectedPath,
      home,
      platform,
    },
  });
  return {
    parts: parsed.commands
      .filter(({ kind, argv }) => kind === 'command' && argv.length > 0)
      .map(({ argv }) => ({ argv })),
    readOnly,
    verdict,
    why: readOnly ? readOnlyWords : why,
  };
}
