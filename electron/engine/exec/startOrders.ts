import { ok, type Result } from '../../../shared/result.ts';
import { childEnvironment } from './childEnvironment.ts';
import { type CommandPlan, planCommand } from './commandPlan.ts';
import type { CommandRequest } from './executor.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { StartOrder } from './host/protocol.ts';
import { type EnvironmentParts, taskBase } from './hostOrder.ts';
import { sandboxCommand } from './sandbox.ts';
import { maxCaptureBytes } from './taskOutput.ts';

/** A log holds this much; issue-sized builds and floods stay whole below it. */
export const maxLogBytes = 1024 * 1024 * 1024;
const columns = 200;
const rows = 50;

/** Makes of a request what the host is told: the program, its environment, the sandbox around it. */
export class StartOrders {
  readonly #parts: ExecutorParts;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  plan(request: CommandRequest, env: Readonly<Record<string, string>>): Result<CommandPlan> {
    const { program, slowCommands } = this.#parts.settings().shell;
    return planCommand(request.command, request.args, { cwd: request.cwd, env, shell: program, slowCommands });
  }

  order(
    id: string,
    request: CommandRequest,
    plan: CommandPlan,
    env: Readonly<Record<string, string>>,
    terminal: 'full' | 'output',
  ): Result<StartOrder> {
    const { sandbox } = this.#parts.settings();
    let start: { readonly file: string; readonly args: readonly string[] } = plan;
    if (request.readOnly || sandbox.commands) {
      const boxed = sandboxCommand(plan.file, plan.args, {
        project: this.#parts.workspace,
        cwd: request.cwd,
        writable: !request.readOnly,
        network: request.readOnly ? false : sandbox.network,
      });
      if (!boxed.ok) return boxed;
      start = boxed.value;
    }
    return ok({
      id,
      file: start.file,
      args: start.args,
      cwd: request.cwd,
      env,
      terminal: request.terminal ?? terminal,
      columns,
      rows,
      base: taskBase(this.#parts.taskFolder, id),
      maxLogBytes,
      maxCaptureBytes,
      ...(plan.verbatim ? { verbatim: true } : {}),
      record: undefined,
    });
  }

  environmentParts(): EnvironmentParts {
    const { settings, environment, workspace, secrets, allowedVariables } = this.#parts;
    return {
      parent: environment,
      settings: settings().shell,
      workspace,
      secrets: secrets?.() ?? [],
      allow: allowedVariables ?? [],
    };
  }

  /** Of the host process itself. */
  hostEnvironment(): Record<string, string> {
    const { environment, workspace, secrets } = this.#parts;
    return childEnvironment(environment, {
      extraPaths: [],
      workspace,
      home: '',
      allow: [],
      secrets: secrets?.() ?? [],
      additions: {},
    });
  }
}
