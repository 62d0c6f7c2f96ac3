import { ok, type Result } from '../../../../../shared/result.ts';
import type { Look } from '../../frame/tool.ts';
import type { TaskPort } from '../../shell/taskPort.ts';
import { detectGo, detectJava, detectRust } from './compiled.ts';
import { type Commands, type Detector, type Finding, type FolderFacts, type MainType, mainTypes } from './detection.ts';
import { type NestedProject, nestedProjects } from './nestedProjects.ts';
import { detectNode } from './node.ts';
import { detectCmake, detectDotnet, detectMake, detectPhp, detectRuby } from './others.ts';
import { detectPython } from './python.ts';

export interface Detection {
  readonly type: MainType | 'unknown';
  /** Everything that was recognised, the surest first. */
  readonly types: readonly string[];
  readonly confidence: number;
  readonly packageManager?: string;
  readonly commands: Commands;
  readonly hasConfigFiles: readonly string[];
  /** Of a folder that is no project itself: those below it. */
  readonly projects?: readonly NestedProject[];
}

/** At equal confidence the earlier one wins. */
const detectors: readonly Detector[] = [
  detectRust,
  detectGo,
  detectNode,
  detectPython,
  detectJava,
  detectDotnet,
  detectRuby,
  detectPhp,
  detectCmake,
  detectMake,
];

/** A manifest beyond this is not read. */
const maxManifestBytes = 1024 * 1024;

/** What kind of project a folder holds, by the files that lie directly in it. Errors: DIRECTORY_NOT_FOUND, NOT_A_DIRECTORY, PATH_TRAVERSAL_DETECTED. */
export async function detectProjectIn(folder: string, look: Look, tasks: TaskPort): Promise<Result<Detection>> {
  const listed = await look.list(folder, { limit: 10_000 });
  if (!listed.ok) return listed;
  const place = await look.resolve(folder);
  if (!place.ok) return place;
  const facts: FolderFacts = {
    names: new Set(listed.value.entries.map(({ name }) => name)),
    async read(name) {
      const path = `${place.value.relative}/${name}`;
      const size = await look.stat(path);
      if (!size.ok || size.value.sizeBytes > maxManifestBytes) return '';
      const text = await look.readText(path);
      return text.ok ? text.value.text : '';
    },
    hasProgram: async (name) => (await tasks.plan({ command: name, args: ['--version'], cwd: place.value.real })).ok,
  };
  const found: Finding[] = [];
  for (const detect of detectors) {
    const finding = await detect(facts);
    if (finding) found.push(finding);
  }
  const isMain = (type: string): type is MainType => (mainTypes as readonly string[]).includes(type);
  const ranked = found.toSorted((a, b) => b.confidence - a.confidence); // stable: ties stay in order
  const nested = ranked.length === 0 ? await nestedProjects(look, folder) : [];
  const best = ranked.find(({ type }) => isMain(type)) ?? ranked[0];
  return ok({
    type: best && isMain(best.type) ? best.type : 'unknown',
    types: ranked.map(({ type }) => type),
    confidence: best?.confidence ?? 0,
    packageManager: best?.packageManager,
    commands: best?.commands ?? {},
    hasConfigFiles: [...new Set(ranked.flatMap(({ configFiles }) => configFiles))],
    ...(nested.length === 0 ? {} : { projects: nested }),
  });
}
