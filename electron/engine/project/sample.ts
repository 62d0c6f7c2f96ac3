import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError } from '../base/log.ts';

/** A fresh copy of the sample project under a free name: it is meant to be changed, and an earlier copy is the person's. */
export async function copySample(resources: string, samples: string): Promise<Result<string>> {
  let target = join(samples, 'sample');
  for (let count = 2; existsSync(target); count += 1) target = join(samples, `sample-${count}`);
  try {
    await mkdir(samples, { recursive: true, mode: 0o700 });
    await cp(join(resources, 'sample'), target, { recursive: true, errorOnExist: true, force: false });
    return ok(target);
  } catch (error) {
    return fail('UNAVAILABLE', `The sample project could not be copied: ${describeError(error)}`);
  }
}
