import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../shared/result.ts';
import { withLockSync } from '../engine/base/fileLock.ts';
import { readJsonFile } from '../engine/base/jsonFile.ts';
import { findKeychain } from '../engine/base/keychain.ts';
import { describeError } from '../engine/base/log.ts';
import { findPlaces, type Places } from '../engine/base/places.ts';
import { createSecrets, type Secrets } from '../engine/base/secrets.ts';
import { Remembered } from '../engine/model/base/capabilities.ts';
import { ownKeyVariable } from '../engine/model/base/presets.ts';
import { type Catalogue, createCatalogue } from '../engine/model/catalogue/catalogue.ts';
import { knownModel } from '../engine/model/knownModel.ts';
import {
  changedConfig,
  loadProviderFile,
  maskedConfig,
  type ProviderFile,
  providerTemplate,
  readProviderFile,
  saveProviderFile,
} from '../engine/model/providerFile.ts';
import {
  describeSettings,
  nearProvider,
  type ProviderSettings,
  providerNamed,
  resolveProvider,
  unknownProvider,
} from '../engine/model/providerSettings.ts';
import { parseAddress } from '../engine/model/wire/address.ts';
import { createProjectSettings } from '../engine/openProject/projectSettings.ts';
import { openUserConfig } from '../engine/openProject/userConfig.ts';
import { realFolder } from '../engine/project/projects.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';
import { type Parsed, projectOf, textFlag } from './base/parseFlags.ts';
import { rootFolder } from './base/startEngine.ts';
import { termList } from './base/termList.ts';
import { missingWords, wordsInForce } from './configWords.ts';

/** `vise config`: shows, makes or changes the provider configuration. Keys are written, never shown. */
export async function runConfig(parsed: Parsed, io: Io): Promise<number> {
  const path = join(findPlaces(io.env).config, 'config.json');
  const { file, warning } = loadProviderFile(path);
  if (warning !== undefined) io.err(`vise config: ${warning}\n`);
  if (parsed.words.length > 0)
    return refuse(io, 'config', `"${parsed.words[0]}" is not expected. "vise config --help" shows the flags.`);
  if (parsed.flags['init-template'] === true) {
    if (existsSync(path)) return report(parsed, io, 'exists', path);
    return save(path, () => providerTemplate, io) ?? report(parsed, io, 'created template', path);
  }
  const named = checkedNames(parsed, file);
  if (!named.ok) return refuse(io, 'config', named.error.message);
  const { places, secrets } = keysOf(io);
  if (parsed.flags['refresh-models'] === true) return refreshModels(places, io);
  if (parsed.flags['models'] === true) return showModels(file, places, named.value.provider, io);
  const isShow = parsed.flags['show'] === true || parsed.flags['resolved'] === true;
  if (!isShow && changeFlags.some((name) => parsed.flags[name] !== undefined)) {
    if (warning !== undefined)
      return refuse(io, 'config', 'mend or remove the broken file first; it is not written over.');
    return change(parsed, io, { path, file, secrets, ...named.value });
  }
  if (!isShow && parsed.flags['json'] !== true) return tellInForce(path, file, secrets, io);
  if (parsed.flags['resolved'] !== true) {
    const shown = maskedConfig(file.raw);
    const project = await projectPart(parsed, io);
    io.out(`${JSON.stringify({ ...shown, ...project }, undefined, 2)}\n`);
    return exitCodes.done;
  }
  const resolved = resolveProvider(file, io.env, { provider: named.value.provider });
  if (!resolved.ok) return refuse(io, 'config', resolved.error.message);
  for (const text of resolved.value.warnings) io.err(`vise config: ${text}\n`);
  const catalogue = catalogueIn(places);
  const stored = readJsonFile(join(places.state, 'capabilities.json'));
  const memory = new Remembered(stored.state === 'read' ? stored.value : {});
  const known = knownModel(resolved.value, catalogue, memory);
  const settings = { ...describeSettings(resolved.value), ...keySource(resolved.value, secrets, io) };
  const { dialect, dialectFrom, window, output, price, efforts } = known;
  const ofModel = {
    dialect: { value: dialect, source: dialectFrom },
    window: window ?? 'unknown',
    output: output ?? 'unknown',
    price: price ?? 'unknown',
    efforts: efforts ?? 'unknown',
    catalogue: catalogue.source,
    learnt: memory.get(resolved.value.name, resolved.value.model),
  };
  const described = { provider: resolved.value.name, settings, model: ofModel };
  io.out(`${JSON.stringify({ ...described, ...(await projectPart(parsed, io)) }, undefined, 2)}\n`);
  return exitCodes.done;
}

/** What is in force for the next task, and what is missing for it. */
function tellInForce(path: string, file: ProviderFile, secrets: Secrets, io: Io): number {
  const resolved = resolveProvider(file, io.env, {});
  if (!resolved.ok) return refuse(io, 'config', resolved.error.message);
  const given = { settings: resolved.value, keptKey: secrets.get(resolved.value.name), env: io.env };
  io.out(termList(wordsInForce(given, path), Number.POSITIVE_INFINITY));
  for (const text of missingWords(given)) io.err(`${text}\n`);
  return exitCodes.done;
}

const changeFlags = ['provider', 'api-key', 'api-key-stdin', 'base-url', 'model', 'debug'];

interface Named {
  readonly provider: string | undefined;
  readonly baseUrl: string | undefined;
}

/** What the flags name, as far as it can be checked: a slip must not become a provider of its own. */
function checkedNames(parsed: Parsed, file: ProviderFile): Result<Named> {
  const given = textFlag(parsed, 'provider');
  const baseUrl = textFlag(parsed, 'base-url');
  const address = baseUrl === undefined ? ok(undefined) : parseAddress(baseUrl);
  if (!address.ok) return address;
  const provider = given === undefined ? undefined : providerNamed(given, file);
  if (given === undefined || provider !== undefined || baseUrl !== undefined || !nearProvider(given, file))
    return ok({ provider: provider ?? given, baseUrl });
  const unknown = unknownProvider(given, file);
  return unknown.ok
    ? unknown
    : fail('CONFIG_INVALID', `${unknown.error.message} One of your own needs its --base-url.`);
}

interface Change extends Named {
  readonly path: string;
  readonly file: ProviderFile;
  readonly secrets: Secrets;
}

/** Writes what the flags say of a provider, which becomes the active one; its key where keys are kept. */
async function change(parsed: Parsed, io: Io, given: Change): Promise<number> {
  const { path, file, secrets, baseUrl } = given;
  const provider = given.provider ?? (file.activeProvider || undefined);
  let apiKey = textFlag(parsed, 'api-key');
  if (parsed.flags['api-key-stdin'] === true) {
    if (provider === undefined) return refuse(io, 'config', 'name whose key it is: --provider NAME.');
    const key = (await io.readStdin()).trim();
    if (key === '' || /\s/.test(key))
      return refuse(io, 'config', 'standard input holds no key: one line, nothing else.');
    secrets.set(provider, key);
    // One that stands in config.json would come before it.
    apiKey = file.providers[provider]?.['llm_api_key'] ? '' : undefined;
    const { kept, path: where } = secrets.place;
    const said = kept === 'keychain' ? "this computer's keychain" : `${where}, which only you can read`;
    io.err(`vise config: the key of ${provider} is kept in ${said}.\n`);
  }
  const debug = textFlag(parsed, 'debug');
  let raw: Readonly<Record<string, unknown>> = {};
  const changed = {
    provider,
    apiKey,
    baseUrl,
    model: textFlag(parsed, 'model'),
    debug: debug === undefined ? undefined : debug === 'on',
  };
  // Another Vise may have written since: what is changed is what stands there now.
  const failed = save(path, () => (raw = changedConfig(loadProviderFile(path).file, changed)), io);
  if (failed !== undefined) return failed;
  const saved = readProviderFile(JSON.stringify(raw), path).file;
  const resolved = resolveProvider(saved, io.env, { provider });
  if (resolved.ok) {
    const inForce = { settings: resolved.value, keptKey: secrets.get(resolved.value.name), env: io.env };
    for (const text of missingWords(inForce)) io.err(`vise config: ${text}\n`);
  }
  return report(parsed, io, 'saved', path);
}

function keysOf(io: Io) {
  const places = findPlaces(io.env);
  return { places, secrets: createSecrets(places.config, findKeychain(places.config, io.env)) };
}

/** Where a key is from that stands in no setting: the kept ones, or the variable of the provider's own tools. */
function keySource(settings: ProviderSettings, secrets: Secrets, io: Io): object {
  if (settings.apiKey !== '') return {};
  if (secrets.get(settings.name) !== undefined) return { llm_api_key: { value: '***', source: 'keys' } };
  const problem = secrets.problem(settings.name);
  if (problem !== undefined) io.err(`vise config: ${problem}\n`);
  const variable = ownKeyVariable(settings);
  return variable !== undefined && io.env[variable] ? { llm_api_key: { value: '***', source: variable } } : {};
}

function catalogueIn(places: Places): Catalogue {
  return createCatalogue([join(places.state, 'models.jsonl'), join(rootFolder(), 'resources', 'models.jsonl')]);
}

function showModels(file: ProviderFile, places: Places, provider: string | undefined, io: Io): number {
  const resolved = resolveProvider(file, io.env, { provider });
  if (!resolved.ok) return refuse(io, 'config', resolved.error.message);
  const catalogue = catalogueIn(places);
  const names = [...new Set([...catalogue.modelsOf(resolved.value), ...Object.keys(resolved.value.models)])];
  const models = Object.fromEntries(names.map((name) => [name, catalogue.facts(resolved.value, name)]));
  io.out(`${JSON.stringify({ provider: resolved.value.name, source: catalogue.source, models }, undefined, 2)}\n`);
  return exitCodes.done;
}

async function refreshModels(places: Places, io: Io): Promise<number> {
  const { refreshCatalogue } = await import('../engine/model/catalogue/refreshCatalogue.ts');
  const done = await refreshCatalogue(places.state, io.env['VISE_MODELS_URL'], new Date());
  if (!done.ok) {
    io.err(`vise config: ${done.error.message}\n`);
    return exitCodes.failed;
  }
  io.out(`${done.value.models} models of ${done.value.providers} providers: ${done.value.path}\n`);
  return exitCodes.done;
}

/** What the project's own settings are worth; nothing where it has none. */
async function projectPart(parsed: Parsed, io: Io): Promise<object> {
  const real = realFolder(projectOf(parsed, io));
  if (!real.ok) {
    io.err(`vise config: ${real.error.message}\n`);
    return {};
  }
  const user = openUserConfig(findPlaces(io.env).config);
  const settings = createProjectSettings({
    user: () => user.settings,
    refresh: () => undefined,
    changed: () => undefined,
  });
  const view = await settings.read(real.value);
  for (const notice of view.notices) io.err(`vise config: ${notice}\n`);
  return view.state === 'none' ? {} : { project: { path: real.value, state: view.state, narrows: view.narrows } };
}

function save(path: string, raw: () => Readonly<Record<string, unknown>>, io: Io): number | undefined {
  try {
    withLockSync(`${path}.lock`, () => saveProviderFile(path, raw()));
    return undefined;
  } catch (error) {
    return refuse(io, 'config', `${path} could not be written: ${describeError(error)}`, exitCodes.failed);
  }
}

function report(parsed: Parsed, io: Io, state: 'exists' | 'created template' | 'saved', path: string): number {
  io.out(parsed.flags['json'] === true ? `${JSON.stringify({ state, path })}\n` : `${state}: ${path}\n`);
  return exitCodes.done;
}
