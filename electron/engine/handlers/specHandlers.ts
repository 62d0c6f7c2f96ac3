import { existsSync } from 'node:fs';
import type { SpecList, SpecView } from '../../../shared/contract/specApi.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { parseJson } from '../base/boundedJson.ts';
import { isoTime } from '../base/clock.ts';
import type { LoadedSpec, UntrustedSpec } from '../bridge/cliSpec/loadSpecs.ts';
import type { CliSpec, SpecArg, SpecFlag } from '../bridge/cliSpec/specTypes.ts';
import type { LoadedTools } from '../openProject/loadSpecTools.ts';
import type { UserConfig } from '../openProject/userConfig.ts';
import type { Handlers } from '../serve.ts';
import { done, type HandlerDeps, withProject } from './handlerDeps.ts';

type Methods = Extract<keyof Handlers, `spec.${string}`>;
type Levels = UserConfig['settings']['bridge']['levels'];

/** Asking a program for its version, its manifest and the help of its sub-commands takes this long at most. */
const maxProposeMs = 60_000;
/** A model writes a spec of many commands for minutes. */
const maxWriteMs = 300_000;

export function specHandlers(deps: HandlerDeps): Pick<Handlers, Methods> {
  const { ports, config, workbench, specTrust, models } = deps;
  const list = (path: string, anew: boolean): Promise<Result<SpecList>> =>
    withProject(deps, path, async ({ bridge }) =>
      ok(listOf(await bridge.specTools(anew), config.settings.bridge.levels)),
    );
  return {
    'spec.list': ({ project }) => list(project, false),
    'spec.refresh': ({ project }) => list(project, true),
    'spec.trust': ({ project, name, hash, trusted }) =>
      withProject(deps, project, async ({ bridge, path }) => {
        const { specs, untrusted } = await bridge.specs();
        const known = [...specs.map((one) => ({ ...one, tool: one.spec.name })), ...untrusted].find(
          ({ tool, source }) => tool === name && source === 'project',
        );
        if (known === undefined)
          return fail('VALIDATION_ERROR', `The project has no spec ${name}; only its own need trust.`);
        if (known.hash !== hash)
          return fail('STALE', `The spec ${name} has changed since it was listed. Look at it again.`);
        const decided = specTrust.decide(path, name, hash, trusted);
        if (decided.ok) bridge.changed();
        return done(decided);
      }),
    async 'spec.level'({ name, level }) {
      const saved = config.update((raw) => {
        const { [name]: _before, ...levels } = config.settings.bridge.levels;
        const { settings } = config;
        const bridge = { ...settings.bridge, levels: level === null ? levels : { ...levels, [name]: level } };
        return { ...raw, settings: { ...settings, bridge } };
      });
      if (!saved.ok) return saved;
      workbench.emit({ type: 'settings.changed', settings: config.settings });
      deps.settingsChanged();
      return ok({});
    },
    'spec.propose': ({ project, binary, deep, byModel, helpOnly }) =>
      withProject(deps, project, async ({ bridge }) => {
        const [{ proposeSpec, specPath }, { runProgram }, { searchPath }] = await Promise.all([
          import('../bridge/cliSpec/scrape/register.ts'),
          import('../bridge/cliSpec/program.ts'),
          import('../bridge/cliSpec/resolveBinary.ts'),
        ]);
        const env = bridge.environment();
        const answer = (system: string, text: string): Promise<Result<string>> =>
          models.answer(system, text, AbortSignal.timeout(maxWriteMs));
        const proposed = await proposeSpec(
          binary,
          {
            run: runProgram,
            env,
            search: searchPath(env, [], ports.platform),
            userFolder: ports.places.specs,
            now: () => isoTime(ports.clock),
            signal: AbortSignal.timeout(maxProposeMs),
            askModel: byModel === true ? answer : undefined,
          },
          { deep, dryRun: helpOnly },
        );
        if (!proposed.ok) return proposed;
        const { spec, version, kind, text } = proposed.value;
        const path = specPath(ports.places.specs, spec.name, version);
        return ok({ name: spec.name, version, kind, text, path, exists: existsSync(path) });
      }),
    async 'spec.validate'({ text }) {
      const { validateSpec } = await import('../bridge/cliSpec/validateSpec.ts');
      const parsed = parseJson(text);
      if (!parsed.ok)
        return ok({
          ok: false,
          errors: [{ path: '', message: `not valid JSON: ${parsed.message}` }],
          warnings: [],
          commands: [],
        });
      const check = validateSpec(parsed.value);
      return ok({
        ok: check.ok,
        errors: check.ok ? [] : check.errors,
        warnings: check.warnings,
        commands: check.ok ? check.spec.commands.map(({ name }) => name) : [],
      });
    },
    'spec.register': ({ project, text, version, replace }) =>
      withProject(deps, project, async ({ bridge }) => {
        const [{ readSpec }, { keepSpec }, { isSafeVersion }] = await Promise.all([
          import('../bridge/cliSpec/readSpec.ts'),
          import('../bridge/cliSpec/scrape/register.ts'),
          import('../bridge/cliSpec/programVersion.ts'),
        ]);
        if (!isSafeVersion(version)) return fail('VALIDATION_ERROR', `${version} cannot be the name of a file.`);
        const parsed = parseJson(text);
        const name: unknown =
          parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && 'name' in parsed.value
            ? parsed.value.name
            : undefined;
        const read = readSpec(text, typeof name === 'string' ? name : '');
        if (!read.ok) return read;
        const path = keepSpec(text, read.value.spec.name, version, ports.places.specs, replace === true);
        if (!path.ok) return path;
        await bridge.specs(); // what begins only now would see the new file and be loaded twice
        bridge.changed();
        const { commands } = await bridge.specTools();
        const tools = commands.filter(({ loaded }) => loaded.spec.name === read.value.spec.name).map((one) => one.name);
        return ok({ path: path.value, tools });
      }),
  };
}

function listOf({ loaded, tools, commands, warnings }: LoadedTools, levels: Levels): SpecList {
  const levelOf = new Map(tools.map(({ name, permission }) => [name, permission]));
  const toolOf = new Map(commands.map((one) => [`${one.loaded.spec.name} ${one.command.name}`, one.name]));
  const views = [
    ...loaded.specs.map((one) => loadedView(one, levels)),
    ...loaded.untrusted.map((one) => untrustedView(one, levels)),
  ];
  const specs = views.map((view): SpecView => {
    if (view.trust === 'asked' || view.trust === 'refused') return view;
    const withTools = view.commands.map((command) => {
      const tool = toolOf.get(`${view.name} ${command.name}`);
      const level = tool === undefined ? undefined : levelOf.get(tool);
      return { ...command, tool, level };
    });
    return { ...view, commands: withTools };
  });
  return {
    specs: specs.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    errors: loaded.errors.map(({ specPath, message }) => ({ path: specPath, message })),
    notes: [...warnings, ...loaded.notes],
  };
}

function loadedView(one: LoadedSpec, levels: Levels): SpecView {
  const { spec, source, path, hash, binaryInProject, installedVersion, exactVersionMatch } = one;
  return {
    ...saidBy(spec, spec.name, levels),
    source,
    path,
    hash,
    trust: source === 'project' ? 'trusted' : source === 'user' ? 'own' : 'bundled',
    binary: one.resolvedBinaryPath,
    binaryInProject,
    installedVersion,
    exactVersionMatch,
    warnings: one.warnings.map(({ path: at, message }) => ({ path: at, message })),
  };
}

function untrustedView({ tool, spec, source, path, hash, refused }: UntrustedSpec, levels: Levels): SpecView {
  return {
    ...saidBy(spec, tool, levels),
    source,
    path,
    hash,
    trust: refused ? 'refused' : 'asked',
    binary: spec?.binary ?? tool,
    binaryInProject: source !== 'project', // the only reason for which another spec needs trust
    warnings: [],
  };
}

function saidBy(
  spec: CliSpec | undefined,
  name: string,
  levels: Levels,
): Pick<SpecView, 'name' | 'description' | 'triggers' | 'commands' | 'level'> {
  return {
    name,
    description: spec?.description ?? '',
    triggers: { positive: spec?.triggers.positive ?? [], negative: spec?.triggers.negative ?? [] },
    commands: (spec?.commands ?? []).map(({ name: command, description, usage, args = [], flags = [] }) => ({
      name: command,
      description,
      usage,
      args: args.map(input),
      flags: [...(spec?.globalFlags ?? []), ...flags].map(input),
    })),
    level: levels[name],
  };
}

function input({
  name,
  description,
  required,
  type,
}: SpecArg | SpecFlag): SpecView['commands'][number]['args'][number] {
  return { name, description, required, type };
}
