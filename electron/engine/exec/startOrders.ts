import { basename } from 'node:path';
import { ok, type Result } from '../../../shared/result.ts';
import { findPlaces } from '../base/places.ts';
import { childEnvironment } from './childEnvironment.ts';
import { type CommandPlan, planCommand } from './commandPlan.ts';
import type { CommandRequest } from './executor.ts';
import type { ExecutorDeps } from './executorDeps.ts';
import type { StartOrder } from './host/protocol.ts';
import type { EnvironmentSources } from './hostOrder.ts';
import { type SandboxPolicy, sandboxCommand } from './sandbox/sandboxCommand.ts';
import type { SandboxNetwork } from './sandbox/sandboxNetwork.ts';
import { inShadow } from './sandbox/shadow.ts';
import { maxCaptureBytes } from './taskOutput.ts';

/** A log holds this much; issue-sized builds and floods stay whole below it. */
export const maxLogBytes = 1024 * 1024 * 1024;
const columns = 200;
const rows = 50;

/** Makes of a request what the host is told: the program, its environment, the sandbox around it. */
export class StartOrders {
  readonly #deps: ExecutorDeps;
  readonly #network: SandboxNetwork;

  constructor(deps: ExecutorDeps, network: SandboxNetwork) {
    this.#deps = deps;
    this.#network = network;
  }

  plan(request: CommandRequest, env: Readonly<Record<string, string>>): Result<CommandPlan> {
    const { program, slowCommands } = this.#deps.settings().shell;
    return planCommand(request.command, request.args, { cwd: request.cwd, env, shell: program, slowCommands });
  }

  /** `base`: the path of its files without suffix, which ends in its id. */
  order(
    base: string,
    request: CommandRequest,
    plan: CommandPlan,
    env: Readonly<Record<string, string>>,
    terminal: 'full' | 'output',
  ): Result<StartOrder> {
    const { sandbox } = this.#deps.settings();
    let start: { readonly file: string; readonly args: readonly string[] } = plan;
    const { shadow } = request;
    const { workspace } = this.#deps;
    const cwd = shadow ? inShadow(shadow, workspace, request.cwd) : request.cwd;
    if (request.readOnly || sandbox.commands || (shadow !== undefined && shadow.way !== 'bare')) {
      const network = this.#networkOf(request.readOnly ? false : sandbox.network);
      if (!network.ok) return network;
      const boxed = sandboxCommand(plan.file, plan.args, {
        project: workspace,
        shadow,
        cwd,
        writable: !request.readOnly,
        network: network.value,
        hidden: [this.#deps.socketFolder, ...this.#ownFolders()],
        home: this.#deps.environment['HOME'],
        path: this.#deps.environment['PATH'],
        readable: sandbox.readable,
        sockets: sandbox.sockets,
      });
      if (!boxed.ok) return boxed;
      start = boxed.value;
    }
    return ok({
      id: basename(base),
      file: start.file,
      args: start.args,
      cwd,
      env,
      terminal: request.terminal ?? terminal,
      columns,
      rows,
      base,
      maxLogBytes,
      maxCaptureBytes,
      input: request.input,
      ...(plan.verbatim ? { verbatim: true } : {}),
      record: undefined,
    });
  }

  /** Settings with keys, and the journals of all projects. */
  #ownFolders(): readonly string[] {
    const { config, state } = findPlaces(this.#deps.environment);
    return [config, state];
  }

  #networkOf(setting: boolean | readonly string[]): Result<SandboxPolicy['network']> {
    if (typeof setting === 'boolean') return ok(setting);
    if (setting.length === 0) return ok(false);
    const socket = this.#network.socket();
    return socket.ok ? ok({ filter: socket.value }) : socket;
  }

  environmentSources(): EnvironmentSources {
    const { settings, environment, workspace, secrets } = this.#deps;
    return {
      parent: environment,
      settings: settings().shell,
      workspace,
      secrets: secrets?.() ?? [],
    };
  }

  /** Of the host process itself. */
  hostEnvironment(): Record<string, string> {
    const { environment, workspace, secrets } = this.#deps;
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
