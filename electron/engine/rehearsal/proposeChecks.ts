import type { Check } from '../../../shared/model/rehearsal.ts';
import { isRecord } from '../base/jsonFile.ts';
import { detectProjectIn } from '../tools/project/detection/detectProjectIn.ts';
import type { TaskPort } from '../tools/shell/taskPort.ts';
import type { Look } from '../workspace/look.ts';
import { serverChecks } from './servers/serverTable.ts';

/** Names under which scripts of package.json check types, the usual one first. */
const typeScripts = ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc', 'lint:types'];

/** Type checks of projects that name none themselves. */
const usualTypeChecks: Readonly<Record<string, string>> = {
  rust: 'cargo check',
  go: 'go vet ./...',
};

/**
 * The checks of a project as the settings choose them: for `types`, `lint` and `tests` the project's own command (from its
 * manifest), left out where it has none; for `diagnostics` the language servers that are installed; anything else is a command
 * line.
 */
export async function proposeChecks(
  chosen: readonly string[],
  look: Look,
  tasks: TaskPort,
  /** Paths of files that are proposed: servers for their languages are asked. */
  changed: readonly string[],
): Promise<readonly Check[]> {
  if (chosen.length === 0) return [];
  const detected = await detectProjectIn('.', look, tasks);
  const { commands, type, packageManager } = detected.ok
    ? detected.value
    : { commands: {}, type: 'unknown', packageManager: undefined };
  const own: Readonly<Record<string, string | undefined>> = {
    types: chosen.includes('types')
      ? ((await typesOfNode(look, packageManager ?? 'npm')) ?? usualTypeChecks[type])
      : undefined,
    lint: commands.lint,
    tests: commands.test,
  };
  const servers = chosen.includes('diagnostics') ? await serverChecks(changed, look, tasks) : [];
  const checks = chosen.flatMap((one): readonly Check[] => {
    if (one === 'diagnostics') return servers;
    if (!Object.hasOwn(own, one)) return [{ name: one.split(' ', 2).join(' '), command: one }];
    const command = own[one];
    return command === undefined ? [] : [{ name: one, command }];
  });
  return [...new Map(checks.map((check) => [check.command, check])).values()];
}

async function typesOfNode(look: Look, manager: string): Promise<string | undefined> {
  const manifest = await look.readText('package.json');
  if (!manifest.ok) return undefined;
  const scripts = scriptsOf(manifest.value.text);
  const script = typeScripts.find((name) => typeof scripts[name] === 'string');
  if (script !== undefined) return `${manager} run ${script}`;
  const config = await look.resolve('tsconfig.json');
  return config.ok && config.value.kind === 'file' ? 'npx --no-install tsc --noEmit' : undefined;
}

function scriptsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(text);
    return isRecord(manifest) && isRecord(manifest['scripts']) ? manifest['scripts'] : {};
  } catch {
    return {};
  }
}
