import type { Intent, Target } from '../../../../shared/model/intent.ts';
import type { Level } from '../../../../shared/model/level.ts';
import type { Rule, RuleMatch } from '../../../../shared/model/rule.ts';
import type { Evaluation, Question, RuleContext } from '../evaluate.ts';
import { evaluate } from '../evaluate.ts';

/** A stand-in for the workspace room's list: enough names to see that each way of writing is found. */
export function protectedPath(path: string): string | undefined {
  const names = path.toLowerCase().split('/');
  if (names.some((name) => ['.git', '.vise', '.cli-bridge', '.husky'].includes(name))) return 'protected folder';
  if (/(?:^|\/)(?:\.github(?:\/workflows|\/?$)|\.vscode(?:\/(?:tasks|settings)\.json|\/?$))/.test(path.toLowerCase()))
    return 'protected place';
  return ['.bashrc', '.zshrc', '.profile', '.envrc', '.gitlab-ci.yml'].includes(names.at(-1) ?? '')
    ? 'protected file'
    : undefined;
}

export const context: RuleContext = { project: '/home/u/proj', home: '/home/u', protectedPath };

export function commandIntent(command: string, risk: Level = 'dangerous'): Intent {
  return {
    risk,
    effects: ['executes'],
    targets: [{ kind: 'command', command, cwd: context.project }],
    summary: command,
    preview: { kind: 'none' },
  };
}

export function pathIntent(access: 'read' | 'write', risk: Level, ...paths: readonly string[]): Intent {
  const targets: readonly Target[] = paths.map((path) => ({ kind: 'path', path, access }));
  return {
    risk,
    effects: [access === 'read' ? 'reads' : 'writes'],
    targets,
    summary: 'Edit',
    preview: { kind: 'none' },
  };
}

export function rule(effect: Rule['effect'], match: RuleMatch): Rule {
  return { id: `${effect} ${JSON.stringify(match)}`, effect, scope: 'project', match };
}

export function allowed(...commands: readonly string[]): readonly Rule[] {
  return commands.map((command) => rule('allow', { command: command.split(' ') }));
}

/** Asks about a command of the `run` tool, with a person present and nothing allowed, unless said otherwise. */
export function judge(command: string | Intent, more: Partial<Question> = {}): Evaluation {
  return evaluate({
    intent: typeof command === 'string' ? commandIntent(command) : command,
    tool: 'run',
    category: 'system',
    rules: [],
    allow: 'none',
    sessionGrants: new Set(),
    interactive: true,
    context,
    ...more,
  });
}
