import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../engine/base/log.ts';
import { findPlaces } from '../engine/base/places.ts';
import {
  changedConfig,
  loadProviderFile,
  maskedConfig,
  providerTemplate,
  saveProviderFile,
} from '../engine/model/providerFile.ts';
import { describeSettings, resolveProvider } from '../engine/model/providerSettings.ts';
import { createProjectSettings } from '../engine/openProject/projectSettings.ts';
import { openUserConfig } from '../engine/openProject/userConfig.ts';
import { realFolder } from '../engine/project/projects.ts';
import { type Parsed, projectOf, textFlag } from './base/flags.ts';
import { exitCodes, type Io, refuse } from './base/io.ts';

/** `vise config`: shows, makes or changes the provider configuration. Keys are written, never shown. */
export async function runConfig(parsed: Parsed, io: Io): Promise<number> {
  const path = join(findPlaces(io.env).config, 'config.json');
  const { file, warning } = loadProviderFile(path);
  if (warning !== undefined) io.err(`vise config: ${warning}\n`);
  if (parsed.words.length > 0)
    return refuse(io, 'config', `"${parsed.words[0]}" is not expected. "vise config --help" shows the flags.`);
  if (parsed.flags['init-template'] === true) {
    if (existsSync(path)) return report(parsed, io, 'exists', path);
    return save(path, providerTemplate, io) ?? report(parsed, io, 'created template', path);
  }
  const provider = textFlag(parsed, 'provider');
  const apiKey = textFlag(parsed, 'api-key');
  const baseUrl = textFlag(parsed, 'base-url');
  const model = textFlag(parsed, 'model');
  const debug = textFlag(parsed, 'debug');
  if ([provider, apiKey, baseUrl, model, debug].some((value) => value !== undefined)) {
    if (warning !== undefined)
      return refuse(io, 'config', 'mend or remove the broken file first; it is not written over.');
    const raw = changedConfig(file, {
      provider,
      apiKey,
      baseUrl,
      model,
      debug: debug === undefined ? undefined : debug === 'on',
    });
    return save(path, raw, io) ?? report(parsed, io, 'saved', path);
  }
  if (parsed.flags['resolved'] !== true) {
    const shown = maskedConfig(file.raw);
    const project = await projectPart(parsed, io);
    io.out(`${JSON.stringify({ ...shown, ...project }, undefined, 2)}\n`);
    return exitCodes.done;
  }
  const resolved = resolveProvider(file, io.env, {});
  if (!resolved.ok) return refuse(io, 'config', resolved.error.message);
  for (const text of resolved.value.warnings) io.err(`vise config: ${text}\n`);
  const described = { provider: resolved.value.name, settings: describeSettings(resolved.value) };
  io.out(`${JSON.stringify({ ...described, ...(await projectPart(parsed, io)) }, undefined, 2)}\n`);
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

function save(path: string, raw: Readonly<Record<string, unknown>>, io: Io): number | undefined {
  try {
    saveProviderFile(path, raw);
    return undefined;
  } catch (error) {
    return refuse(io, 'config', `${path} could not be written: ${describeError(error)}`, exitCodes.failed);
  }
}

function report(parsed: Parsed, io: Io, state: 'exists' | 'created template' | 'saved', path: string): number {
  io.out(parsed.flags['json'] === true ? `${JSON.stringify({ state, path })}\n` : `${state}: ${path}\n`);
  return exitCodes.done;
}
