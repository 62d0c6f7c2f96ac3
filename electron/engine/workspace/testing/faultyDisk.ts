import { type Disk, realDisk } from '../disk.ts';

/** For tests: the real disk up to step number `at`, from which on each step fails: what was begun stays as it is. */
export function deadDisk(at: number): Disk {
  return disks((count) => {
    if (count >= at) throw systemError('EIO');
  }).disk;
}

/** For tests: the real disk, but step number `at` (from 1) does something else first. `steps` counts what was asked for. */
export function faultyDisk(at: number, instead: (step: keyof Disk) => void): { readonly disk: Disk; steps(): number } {
  return disks((count, step) => {
    if (count === at) instead(step);
  });
}

function disks(before: (count: number, step: keyof Disk) => void): { readonly disk: Disk; steps(): number } {
  let count = 0;
  const guard = <A extends readonly unknown[], R>(step: keyof Disk, act: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      count += 1;
      before(count, step);
      return act(...given);
    };
  };
  return {
    steps: () => count,
    disk: {
      createFile: guard('createFile', realDisk.createFile),
      rename: guard('rename', realDisk.rename),
      link: guard('link', realDisk.link),
      unlink: guard('unlink', realDisk.unlink),
      mkdir: guard('mkdir', realDisk.mkdir),
      rmdir: guard('rmdir', realDisk.rmdir),
      sync: guard('sync', realDisk.sync),
    },
  };
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
