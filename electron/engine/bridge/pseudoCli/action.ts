import type { Result, ToolResult } from '../../../../shared/result.ts';
import type { Threads } from './threads.ts';

/** `string`, `number`, `boolean`, `json`, or the allowed words joined by `|`. */
export type ParamType = string;

export interface Param {
  readonly name: string;
  /** As it is typed, with its dashes. */
  readonly flag: string;
  readonly type: ParamType;
  readonly required: boolean;
  /** A text that is accepted although the declared type is another (task ids where numbers are declared). */
  readonly accepts?: (text: string) => boolean;
}

export type Params = Readonly<Record<string, unknown>>;

/** What an action may use. Each effect goes through `callTool`, so the permission is always the inner tool's. */
export interface ActionPorts {
  callTool(name: string, input: unknown): Promise<ToolResult>;
  /** Small JSON documents in the project's state. */
  readonly store: JsonStore;
  /** The real path of the project. */
  readonly root: string;
  /** ISO time. */
  now(): string;
  newId(prefix: string): string;
  /** Runs a pseudo command from inside one; refuses when nested too deeply. */
  nested(command: string): Promise<Result<unknown>> | undefined;
  warn(text: string): void;
  /** The sessions of the project. */
  threads(): Threads;
  /** Shows the person a message. */
  tell(level: 'info' | 'warning' | 'error', text: string): void;
  readonly signal: AbortSignal;
}

export interface JsonStore {
  /** `undefined` when nothing was stored. Errors: INTERNAL when it cannot be read. */
  read(name: string): Promise<Result<unknown>>;
  write(name: string, value: unknown): Promise<Result<void>>;
}

export interface Action {
  readonly module: string;
  readonly action: string;
  readonly about: string;
  readonly params: readonly Param[];
  /** Gets the parameters by their declared names, with the declared types. */
  run(params: Params, ports: ActionPorts): Promise<Result<unknown>>;
}

/** `path*`, `recursive:boolean`, `yield-ms:number`, `mode:auto|background`; a flag of several words is a camelCase name. */
export function params(text: string): readonly Param[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [, flag = '', star = '', type = 'string'] = /^([\w-]+)(\*?)(?::(.+))?$/.exec(part) ?? [];
      return { name: camelCase(flag), flag: `--${flag}`, type, required: star === '*' };
    });
}

export function camelCase(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function kebabCase(name: string): string {
  return name
    .replaceAll('_', '-')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();
}

/** The declared parameter that a flag means; `--process-id` and `--processId` are both understood. */
export function findParam(action: Action, key: string): Param | undefined {
  return action.params.find(
    (param) => param.flag === `--${key}` || param.name === key || param.name === camelCase(key),
  );
}
