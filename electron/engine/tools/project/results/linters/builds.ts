import { type Issue, issueOf } from '../issue.ts';

/** Maven's compiler: `[ERROR] /p/A.java:[3,5] message`; it says all twice. */
export function parseMaven(text: string): readonly Issue[] {
  return [...text.matchAll(/^\[(ERROR|WARNING)\] (\S.*):\[(\d+),(\d+)\] (?:error: )?(.*)$/gm)].map(
    ([, severity, file, line, column, message]) => issueOf({ severity, message, file, line, column }),
  );
}

/** esbuild: `✘ [ERROR] message`, then `    src/a.ts:3:4:`. */
export function parseEsbuild(text: string): readonly Issue[] {
  return [...text.matchAll(/^[✘▲X>] \[(ERROR|WARNING)\] (.*?)(?: \[([\w-]+)\])?\n\n {4}(\S.*?):(\d+):(\d+):$/gm)].map(
    ([, severity, message, rule, file, line, column]) =>
      issueOf({ severity, message, file, line, column: Number(column) + 1, rule }),
  );
}

/** CMake: `CMake Error at CMakeLists.txt:3 (message):`, then the message. */
export function parseCmake(text: string): readonly Issue[] {
  return [
    ...text.matchAll(/^CMake (Error|Warning)(?: \(dev\))? at (\S+):(\d+) \(.*\):\n((?: {2}.*\n?|\n(?= {2}))*)/gm),
  ].map(([, severity, file, line, message = '']) =>
    issueOf({ severity, message: message.replace(/\s+/g, ' '), file, line }),
  );
}

/** Linkers name no line. */
export function parseLinker(text: string): readonly Issue[] {
  return [
    ...text.matchAll(
      /^(?:\S*ld(?:\.\w+)?: )?(?:\S+: )?(?:(\S+\.\w+):)?\(\.\w+\+0x[\da-f]+\): (undefined reference to .*)$/gm,
    ),
  ].map(([, file, message]) => issueOf({ severity: 'error', message, file }));
}
