import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { covers, type Level } from '../../../shared/model/level.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Trust } from '../../../shared/model/workbench.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { realPath } from '../base/realPath.ts';
import { createHooks, type Hooks } from '../bridge/hooks/hooks.ts';
import { keepForSession } from '../edits/recoverEdits.ts';
import { isEmbeddedRepository } from '../git/embeddedRepository.ts';
import { gitEnvironment } from '../git/gitEnvironment.ts';
import type { GitPort } from '../git/repository.ts';
import { treeFiles } from '../git/treeFiles.ts';
import type { RuleContext } from '../permission/evaluate.ts';
import { createHostRules } from '../permission/rules/forbiddenHosts.ts';
import { createRuleStore, type LoadedRules, type RuleStore } from '../permission/rules/ruleStore.ts';
import { createTimedGrants, type TimedGrants } from '../permission/timedGrants.ts';
import { packageScript } from '../project/packageScript.ts';
import { createPromptFiles, type PromptFiles } from '../project/prompts/promptFiles.ts';
import { createRulesFiles, type RulesFile } from '../project/rulesFiles.ts';
import type { SymbolParts } from '../project/symbols/findSymbols.ts';
import { projectRisks } from '../project/trust.ts';
import { createRehearsalPort } from '../rehearsal/rehearsalPort.ts';
import { createKnownRuns, type KnownRuns } from '../rehearsal/rehearse.ts';
import { toolsOf } from '../tools/all.ts';
import type { Look } from '../tools/frame/tool.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import type { Granted } from '../tools/project/checkPermission.ts';
import { realDisk } from '../workspace/disk.ts';
import { createLook } from '../workspace/look.ts';
import { namesInPatch, patchText } from '../workspace/patch/namesInPatch.ts';
import { protectedPath } from '../workspace/protectedPath.ts';
import { type RecoveredApply, recoverApplies, recoveryWords } from '../workspace/recoverApplies.ts';
import { createSandbox, type Sandbox } from '../workspace/sandbox.ts';
import { type ProjectDeps, projectScope } from './projectDeps.ts';
import { createProjectServices } from './projectServices.ts';
import type { ProjectSettingsView } from './projectSettings.ts';
import { createProjectTools, type ProjectTools } from './projectTools.ts';

/** What belongs to one project folder, shared by its sessions. Nothing is started for it. */
export interface OpenedProject {
  readonly path: string;
  /** The user's, narrowed by what a trusted project says. */
  settings(): Settings;
  /** The level that may run without a question here, of one that is given. */
  allowed(level: Level): Level;
  /** Reads anew what the project's own settings say. */
  readSettings(): Promise<ProjectSettingsView>;
  readonly sandbox: Sandbox;
  /** Where the records of running writes lie. */
  readonly records: string;
  /** Finishes or takes back the writes that a crash of any process has cut in two. */
  recover(): Promise<void>;
  /** What became of them, in words, for the first who asks and can tell the person. */
  untold(): readonly string[];
  readonly look: Look;
  /** What answers questions about symbols; its threads start at the first one. */
  readonly symbols: SymbolParts;
  /** What git commands of this project need. */
  readonly git: GitPort;
  /** As it is now; another object once specs or servers have brought tools. */
  readonly toolset: Toolset;
  readonly bridge: ProjectTools;
  readonly ruleContext: RuleContext;
  readonly ruleStore: RuleStore;
  /** What the person allowed for a while; ends with the engine. */
  readonly timed: TimedGrants;
  /** The rules in force now; allow rules of the folder count only when its content is trusted. */
  rules(): LoadedRules;
  /** Those of the root, and of the folders that are worked in. */
  rulesFiles(folders?: readonly string[]): Promise<readonly RulesFile[]>;
  /** Commands and skills of the person and of the project. */
  readonly prompts: PromptFiles;
  /** Commands of the person and of the project that run beside what the agent does. */
  readonly hooks: Hooks;
  /** Trust was given or taken. */
  trustChanged(trust: Trust): void;
  /** Whether it is trusted with its content as it is now. */
  trusted(): Promise<boolean>;
  /** The same, or holds nothing that could run or steer, so that nobody was asked. */
  steersNothing(): Promise<boolean>;
  /** What checks find in it as it is. */
  readonly knownRuns: KnownRuns;
  /** Closes what its tools have opened. */
  close(): Promise<void>;
}

/** Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY. */
export async function openProject(path: string, trust: Trust, deps: ProjectDeps): Promise<Result<OpenedProject>> {
  const sandbox = await createSandbox({ roots: [path] });
  if (!sandbox.ok) return sandbox;
  const { ports, settings } = deps;
  const recovery = createRecovery(sandbox.value, ports.places.state);
  const scope = projectScope(deps, path);
  const ruleStore = createRuleStore({ project: path, config: ports.places.config, extra: ports.rulesFile });
  let trustedRules = trust === 'trusted' ? rulesText(path) : undefined;
  /** What runs in the project may write its rules: they count only while they are those that were trusted (J6). */
  const rules = (): LoadedRules => ruleStore.load((text) => text === trustedRules);
  const hosts = createHostRules(rules);
  const services = createProjectServices(scope, sandbox.value, hosts);
  const timed = createTimedGrants(ports.clock);
  /** By level, by a rule for the tool as a whole that none forbids, or for a while. */
  const granted = (tool: string, level: Level, place: string): Granted => {
    const concerned = rules().rules.filter(({ match }) => match.tool === tool);
    if (concerned.some(({ effect }) => effect !== 'allow')) return { granted: false };
    if (
      covers(settings.allowed(path, ports.allow), level) ||
      concerned.some(({ match }) => Object.keys(match).length === 1)
    )
      return { granted: true };
    const grant = timed.find(tool, place);
    return grant ? { granted: true, expiresAt: grant.expiresAt } : { granted: false };
  };
  const knownRuns = createKnownRuns();
  const prompts = createPromptFiles({ project: path, config: ports.places.config, trusted: scope.trusted });
  const look = createLook(sandbox.value);
  const rehearsal = createRehearsalPort({
    look,
    tasks: scope.tasks,
    settings: scope.settings,
    known: knownRuns,
    folder: () => join(ports.places.state, 'rehearsals'),
  });
  const builtIn = toolsOf({ tasks: scope.tasks, ...services, permission: { granted }, prompts, rehearsal });
  const bridge = createProjectTools(scope, services.browser, builtIn);
  return ok({
    path,
    settings: scope.settings,
    allowed: (level) => settings.allowed(path, level),
    readSettings: () => settings.read(path),
    sandbox: sandbox.value,
    ...recovery,
    look,
    symbols: { symbols: services.symbols, index: services.index },
    git: services.git,
    get toolset() {
      return bridge.toolset;
    },
    bridge,
    ruleContext: {
      project: path,
      protectedPath,
      ownFolders: [ports.places.config, ports.places.state, ports.places.specs].map((folder) => realPath(folder)),
      isLane: deps.isLane(path),
      realPath,
      treeFiles: (folder, from, to) => treeFiles(gitEnvironment(ports.env, [], path), folder, from, to),
      isEmbedded: (folder) => isEmbeddedRepository(sandbox.value.root, folder),
      patches: { text: patchText, names: namesInPatch },
      packageScript: (folder, name) => packageScript(path, folder, name),
      platform: ports.platform,
      home: ports.env['HOME'],
    },
    ruleStore,
    timed,
    rules,
    rulesFiles: createRulesFiles(path, ports.places.config),
    prompts,
    hooks: createHooks({
      project: path,
      own: () => scope.userConfig('hooks'),
      trusted: scope.trusted,
      environment: () => bridge.environment(),
      sandbox: services.git.sandbox ?? (() => undefined),
    }),
    trustChanged(next) {
      const trusted = next === 'trusted';
      trustedRules = trusted ? rulesText(path) : undefined;
      // What was allowed for an hour runs what the project says: it goes with the trust in what that is.
      if (!trusted) for (const { id } of timed.list()) timed.revoke(id);
      bridge.changed();
    },
    trusted: scope.trusted,
    steersNothing: async () => (await scope.trusted()) || (await projectRisks(path)).risks.length === 0,
    knownRuns,
    async close() {
      await bridge.close();
      await services.close();
    },
  });
}

function createRecovery(
  { roots, platform }: Sandbox,
  state: string,
): Pick<OpenedProject, 'records' | 'recover' | 'untold'> {
  const records = join(state, 'applies');
  const keep = (one: RecoveredApply): void => keepForSession(join(state, 'sessions'), one);
  let untold: string[] = [];
  let previous: Promise<void> = Promise.resolve();
  const recoverNow = async (): Promise<void> => {
    for (const one of await recoverApplies({ disk: realDisk, records, roots, platform, keep })) {
      const words = recoveryWords(one);
      if (words !== undefined) untold.push(words);
    }
  };
  return {
    records,
    recover() {
      const turn = previous.then(recoverNow);
      previous = turn.catch(() => undefined); // whoever asked hears of it
      return turn;
    },
    untold() {
      const texts = untold;
      untold = [];
      return texts;
    },
  };
}

/** The text of the project's own rules; '' where there are none or they cannot be read. */
function rulesText(project: string): string {
  try {
    return readFileSync(join(project, '.vise', 'rules.json'), 'utf8');
  } catch {
    return '';
  }
}
