import { ok, type Result } from '../../../shared/result.ts';
import { isRecord, readJsonFile, updateJsonFile } from '../base/jsonFile.ts';

/** What the person said of single specs of a project; bound to their content, so that a changed spec is asked again (J2). */
export interface SpecTrust {
  /** Undefined: nothing was said of this content. */
  decided(project: string, spec: string, hash: string): boolean | undefined;
  decide(project: string, spec: string, hash: string, trusted: boolean): Result<void>;
}

const maxProjects = 100;
const maxSpecs = 500;

type Kept = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Kept in one file of the state folder; a file that is missing or broken says nothing of any spec. */
export function createSpecTrust(file: string): SpecTrust {
  const projectsOf = (content: unknown): Kept => {
    const projects = isRecord(content) ? content['projects'] : undefined;
    if (!isRecord(projects)) return {};
    return Object.fromEntries(
      Object.entries(projects).filter((entry): entry is [string, Kept[string]] => isRecord(entry[1])),
    );
  };
  return {
    decided(project, spec, hash) {
      const content = readJsonFile(file);
      const known = projectsOf(content.state === 'read' ? content.value : undefined);
      const said = Object.hasOwn(known, project) ? known[project]?.[spec] : undefined;
      if (!isRecord(said) || said['hash'] !== hash) return undefined;
      return typeof said['trusted'] === 'boolean' ? said['trusted'] : undefined;
    },
    decide(project, spec, hash, trusted) {
      updateJsonFile(file, (content) => {
        const { [project]: own = {}, ...others } = projectsOf(content);
        const { [spec]: _before, ...rest } = own;
        const kept = { ...Object.fromEntries(Object.entries(rest).slice(1 - maxSpecs)), [spec]: { hash, trusted } };
        // The newest stand last and are kept.
        return { projects: { ...Object.fromEntries(Object.entries(others).slice(1 - maxProjects)), [project]: kept } };
      });
      return ok(undefined);
    },
  };
}
