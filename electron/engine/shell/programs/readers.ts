import type { Word } from '../parse/line.ts';
import { allLiteral, mayBecomeOption, names, type Options } from './options.ts';
import { isPlainTest } from './plainCondition.ts';
import { optionValues, type Program } from './program.ts';
import { copiedWhole } from './sweeps.ts';

const encoded: Options = {
  short: 'dDw:',
  long: names('decode ignore-garbage wrap= help version'),
  names: 1,
  optionsFirst: true,
};

/** Programs that print or compare, where there is little to know (coreutils 9, diffutils 3, findutils, BSD). */
export const readers: readonly Program[] = [
  // Whatever their options are, they only read; their words are texts, or names of files.
  ...['echo', 'true', 'false', ':', 'sleep', 'seq', 'expr'].map(
    (name): Program => ({ names: name, words: 'text', reads: true }),
  ),
  { names: 'diff', words: 'names', reads: true, sweeps: copiedWhole(/^(?:-[A-Za-z]*[rN].*|--recursive)$/) },
  ...['cat', 'head', 'tail', 'wc', 'cut', 'tr', 'ls', 'stat', 'du', 'basename', 'dirname', 'which', 'type'].map(
    (name): Program => ({ names: name, words: 'names', reads: true }),
  ),
  ...(
    'nl tac rev paste comm cmp df realpath readlink pwd id whoami uname numfmt md5sum sha1sum sha224sum sha256sum ' +
    'sha384sum sha512sum shasum cksum b2sum sum od hexdump strings fold fmt expand unexpand join tsort nproc findstr ' +
    'groups locale'
  )
    .split(' ')
    .map((name): Program => ({ names: name, reads: true })),
  ...['kill', 'exit', 'return', '[', '[['].map((name): Program => ({ names: name, words: 'text' })),
  ...['whereis', 'gh', 'glab', 'jq'].map(
    (name): Program => ({
      names: name,
      words: 'names',
      ...(name === 'gh' && { versions: '--version' }),
      ...(name === 'jq' && { versions: '--version | -V' }),
    }),
  ),
  { names: 'test', words: 'text', reads: isPlainTest },
  { names: 'printf', words: 'text', reads: readsPrintf },
  {
    names: 'sort',
    reads: {
      short: 'bdfghiMnRrVcCmsuzk:t:',
      long: names(
        'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort ' +
          'human-numeric-sort numeric-sort random-sort reverse sort= version-sort check key= merge stable field-separator= ' +
          'unique zero-terminated debug help version',
      ),
    },
    takes: [{ long: 'compress-program' }],
    outputs: '-o --output',
  },
  {
    names: 'tree',
    reads: {
      short: 'adflixpshugDtUrCAnNqQvXJSc',
      alone: 'LPI',
      long: names(
        'dirsfirst filesfirst noreport gitignore prune du si matchdirs ignore-case metafirst sort= charset= filelimit= ' +
          'timefmt= help version',
      ),
    },
    outputs: '-o --output',
  },
  { names: 'base64', reads: encoded },
  { names: 'base32', reads: encoded },
  { names: 'column', reads: { short: 'txs:o:J', long: names('table separator= output-separator= json help version') } },
  {
    names: 'file',
    reads: {
      short: 'bhiLkNrs0F:',
      long: names(
        'brief mime mime-type mime-encoding dereference no-dereference keep-going no-pad raw print0 separator= help version',
      ),
    },
  },
  // The second name is a file that they write.
  {
    names: 'uniq',
    reads: {
      short: 'cdDiuzf:s:w:',
      long: names(
        'count repeated all-repeated ignore-case skip-fields= skip-chars= check-chars= unique zero-terminated group help ' +
          'version',
      ),
      names: 1,
      optionsFirst: true,
    },
    writes: 'rest',
    outputs: '-f --prefix',
  },
  {
    names: 'xxd',
    reads: { short: 'buipeE', alone: 'cglson', names: 1, optionsFirst: true },
    writes: 'rest',
    outputs: '-f --prefix',
  },
  // A word without `+` would set the clock.
  {
    names: 'date',
    reads: (words) =>
      allLiteral(words) && words.every(({ value }) => /^(?:\+.*|-u|-R|-I.*|--(?:utc|rfc-.*|iso-.*))$/s.test(value)),
  },
  { names: 'cd', words: 'names', reads: (words) => words.length <= 1 && !words.some((word) => mayBecomeOption(word)) },
  { names: 'hostname', reads: (words) => words.length === 0 },
  // With a word it is another program on some systems, and runs it.
  { names: 'arch', reads: (words) => words.length === 0 },
  {
    names: 'yq',
    writes: ({ argv }, given) => (argv.some((word) => /^-[A-Za-z]*i|^--inplace/.test(word)) ? given : []),
  },
  { names: 'csplit', writes: 'rest', outputs: '-f --prefix' },
  {
    names: 'split',
    takes: [{ long: 'filter' }],
    writes: ({ words }, given) => [...given.slice(1), ...optionValues(words, ['-f', '--prefix'])],
  },
];

/** `-v` and `%n` set a variable, and numbers are arithmetic for some shells. */
function readsPrintf([format, ...words]: readonly Word[]): boolean {
  if (!format) return true;
  if (!allLiteral([format]) || format.value.startsWith('-')) return false;
  const forms = format.value.replaceAll('%%', '').match(/%[^a-zA-Z(]*(?:\([^)]*\))?[a-zA-Z]*/g) ?? [];
  const isText = forms.every((form) => /^%[-\d.]*[sbcq](?![A-Za-z])/.test(form) || /^%[-\d.]*[sbcq]/.test(form));
  return isText || (!forms.some((form) => form.includes('n')) && words.every(({ value }) => /^-?[\d.]*$/.test(value)));
}
