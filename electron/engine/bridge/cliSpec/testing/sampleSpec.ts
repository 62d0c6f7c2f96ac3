import type { LoadedSpec } from '../loadSpecs.ts';
import type { CliSpec, SpecCommand } from '../specTypes.ts';

/** A small valid spec for tests. */
export function sampleSpec(changes: Partial<CliSpec> = {}): CliSpec {
  return {
    name: 'mytool',
    specVersion: '1',
    binary: 'mytool',
    binaryVersion: '1.0.0',
    description: 'A tool for tests',
    versionDetection: { command: '--version', pattern: 'v?(\\d+\\.\\d+[.\\d]*)' },
    triggers: { positive: ['use mytool'], negative: ['avoid mytool'] },
    commands: [sampleCommand()],
    ...changes,
  };
}

export function sampleCommand(changes: Partial<SpecCommand> = {}): SpecCommand {
  return { name: 'list', description: 'List things', usage: 'mytool list', output: { format: 'text' }, ...changes };
}

export function sampleLoaded(spec: CliSpec, changes: Partial<LoadedSpec> = {}): LoadedSpec {
  return {
    spec,
    resolvedBinaryPath: `/usr/bin/${spec.binary}`,
    installedVersion: spec.binaryVersion,
    exactVersionMatch: true,
    source: 'user',
    path: `/specs/${spec.name}/1.json`,
    binaryInProject: false,
    hash: 'hash',
    warnings: [],
    ...changes,
  };
}
