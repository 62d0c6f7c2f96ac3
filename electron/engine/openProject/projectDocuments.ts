import { join } from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { readJsonFile, writeJsonFile } from '../base/jsonFile.ts';
import { describeError } from '../base/log.ts';
import type { JsonStore } from '../bridge/pseudoCli/action.ts';

/** Small JSON documents of one project (tasks, todos), one file each in a folder of its own, which is asked for when it is used. */
export function createProjectDocuments(place: { readonly folder: string }): JsonStore {
  const fileOf = (name: string): string => join(place.folder, `${name.replaceAll(/[^A-Za-z0-9-]/g, '_')}.json`);
  return {
    read(name): Promise<Result<unknown>> {
      const file = readJsonFile(fileOf(name));
      if (file.state === 'broken') return Promise.resolve(fail('INTERNAL', file.why));
      return Promise.resolve(ok(file.state === 'read' ? file.value : undefined));
    },
    write(name, value): Promise<Result<void>> {
      try {
        writeJsonFile(fileOf(name), value);
        return Promise.resolve(ok(undefined));
      } catch (error) {
        return Promise.resolve(fail('INTERNAL', `${name} could not be kept: ${describeError(error)}`));
      }
    },
  };
}
