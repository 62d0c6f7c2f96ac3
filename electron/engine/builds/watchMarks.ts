/**
 * What a line of a watcher says of its rounds. `start`: another round begins; `end`: it is over, and its findings tell how;
 * `quiet`: another one begins whose end nobody says, so that a while without an error is one.
 */
export type MarkKind = 'start' | 'end' | 'quiet';

/** The words of watchers, each as it prints them at a round's beginning and end. */
const marks: readonly (readonly [RegExp, MarkKind])[] = [
  // tsc --watch, and vue-tsc
  [/File change detected\. Starting incremental compilation|Starting compilation in watch mode/, 'start'],
  [/Found \d+ errors?\. Watching for file changes/, 'end'],
  // vitest, django
  [/^\s*(?:RERUN|DEV)\s/, 'start'],
  [/(?:Waiting|Watching) for file changes/, 'end'],
  // jest
  [/^Determining test suites to run/, 'start'],
  [/^Ran all test suites/, 'end'],
  // webpack, Next.js, Angular
  [/^\s*[○◌] Compiling|Changes detected\. Rebuilding|\bCompiling\.\.\.$/, 'start'],
  [
    /\bcompiled (?:successfully|with \d+ (?:error|warning)s?)|^\s*✓ Compiled|^\s*⨯ Failed to compile|^Failed to compile/i,
    'end',
  ],
  [/Application bundle generation (?:complete|failed)/, 'end'],
  // esbuild, rollup, tsup
  [/\[watch\] build started|^bundles .+ → |^CLI (?:Building entry|Change detected)/, 'start'],
  [/\[watch\] build finished|^created .+ in |⚡️ Build success/, 'end'],
  // vite, parcel
  [/\[vite\].*\b(?:hmr update|page reload|server restarted)|^\s*VITE v\S+ +ready in|^🚨 Build failed/, 'quiet'],
  [/^✨ Built in/, 'end'],
  // nodemon, node --watch, tsx watch
  [/\[nodemon\] (?:re)?starting|^Restarting ['"]|^\[tsx\] |Restarting\.\.\.$/, 'quiet'],
  [/\[nodemon\] (?:app crashed|clean exit)|^(?:Failed running|Completed running) ['"]/, 'end'],
  // cargo watch, air, dotnet watch
  [/^\[Running ['"]|^building\.\.\.$|^dotnet watch .*(?:Building|File changed)/, 'start'],
  [/^\[Finished running|^running\.\.\.$|^failed to build|^dotnet watch .*(?:Started|Exited)/, 'end'],
  // flask, uvicorn, django
  [/Detected change in |detected changes in |Restarting with (?:stat|watchdog)|changed, reloading\.$/, 'quiet'],
];

/** Said of a round that failed, also where no error can be read. */
const failed =
  /Found [1-9]\d* errors?\.|with [1-9]\d* errors?|crashed|\b[Ff]ail(?:ed|ure)\b|Exit(?:ed)?.* (?:code|status:?) [1-9]/;

export const anyMark = new RegExp(marks.map(([pattern]) => pattern.source).join('|'), 'i');

export function markOf(line: string): { readonly kind: MarkKind; readonly isBad: boolean } | undefined {
  const found = marks.find(([pattern]) => pattern.test(line));
  return found && { kind: found[1], isBad: failed.test(line) };
}
