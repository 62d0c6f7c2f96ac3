import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { external } from './buildList.ts';
import { buildMark } from './buildMark.ts';
import { buildStale } from './buildParts.ts';
import { root, run, say } from './project.mjs';

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** What the npm package has of package.json; the rest is for those who work on it. */
const fields = [
  ...['name', 'version', 'description', 'license', 'homepage', 'repository', 'bugs', 'keywords', 'author'],
  ...['type', 'bin', 'man', 'engines', 'optionalDependencies'],
];

/** Stands for addresses that there are not yet, in package.json and in the page that tells how to clone. */
export const placeholder = 'vise.example';

/** The folder of the npm package, before it is packed. */
export const staged = join(root, 'dist', 'npm');

/** The words of the changelog on a version; before the first release its number has none, and *Unreleased* stands for it. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.startsWith(`${version}\n`) || section.startsWith(`${version} `));
  return found?.slice(found.indexOf('\n')).trim();
}

/** Why this tag is no release; undefined where it is one. Without a tag *Unreleased* is tried, and nothing is said of files that differ. */
export function problemOf(
  tag: string | undefined,
  {
    version,
    changelog,
    mark,
    about,
  }: {
    readonly version: string;
    readonly changelog: string;
    readonly mark: string | undefined;
    /** The text of package.json. */
    readonly about: string;
  },
): string | undefined {
  if (tag === undefined)
    return notesOf(changelog, 'Unreleased') === undefined ? 'CHANGELOG.md has no Unreleased.' : undefined;
  if (tag !== `v${version}`) return `The tag ${tag} is not v${version}, the version of package.json.`;
  if (notesOf(changelog, version) === undefined)
    return `CHANGELOG.md has no section "## ${version}": give what is Unreleased that name.`;
  if (about.includes(placeholder))
    return `package.json names ${placeholder}, which is nobody's: give it the real homepage, repository, bugs and author.`;
  return mark?.endsWith('changed') ? 'Files differ from the commit.' : undefined;
}

/** The npm package in `dist/npm`: the built command line and workbench, without the desktop, and what it loads at run time. */
function stage(own: Package): void {
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  const dependencies = Object.fromEntries(Object.entries(own.dependencies).filter(([name]) => external.includes(name)));
  const kept = Object.fromEntries(fields.map((name) => [name, own[name]]));
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify({ ...kept, dependencies }, undefined, 2)}\n`);
  // What is compiled ahead is of this Node alone.
  const left = /^(?:main|preload|compiled|\.[\w-]+)(?:[/\\]|$)|\.map$/;
  const out = join(root, 'out');
  cpSync(out, join(staged, 'out'), { recursive: true, filter: (from) => !left.test(relative(out, from)) });
  const resources = join(root, 'resources');
  const desktops = /^(?:icons|bin|entitlements)/;
  cpSync(resources, join(staged, 'resources'), {
    recursive: true,
    filter: (from) => !desktops.test(relative(resources, from)),
  });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE']) cpSync(join(root, name), join(staged, name));
}

/**
 * `npm run release [-- TAG]`: builds, checks that tag, package.json and changelog agree, and leaves the npm package and the notes
 * of the release in `dist/`. It publishes nothing: that is the workflow's, behind a tag. Without a tag it is a trial.
 * @returns the exit code
 */
export async function release([tag]: readonly string[]): Promise<number> {
  const about = readFileSync(join(root, 'package.json'), 'utf8');
  const own = JSON.parse(about) as Package;
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const problem = problemOf(tag, { version: own.version, changelog, mark: buildMark(), about });
  if (problem !== undefined) {
    say(problem);
    return 1;
  }
  // Anew, so that the commit it tells is the tag's.
  if (!(await buildStale({ force: tag !== undefined }))) return 1;
  stage(own);
  const dist = join(root, 'dist');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = await run(npm, ['pack', staged, '--pack-destination', dist], { quiet: true });
  if (packed.code !== 0) {
    say(packed.output);
    return 1;
  }
  writeFileSync(
    join(dist, 'notes.md'),
    `${notesOf(changelog, tag === undefined ? 'Unreleased' : own.version) ?? ''}\n`,
  );
  say(`dist/vise-${own.version}.tgz and dist/notes.md are made${tag === undefined ? ', as a trial' : ''}.`);
  return 0;
}
