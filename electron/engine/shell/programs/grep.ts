import type { Word } from '../parse/line.ts';
import { names } from './options.ts';
import type { Program } from './program.ts';
import { searched } from './sweeps.ts';

/** Some systems have ugrep under the name of grep: these options of it run a program or write a file. */
const runsInGrep = /^--(?:filter|pager|save-config|view)/;

export const grep: Program = {
  names: 'grep egrep fgrep',
  words: 'names',
  reads: true,
  sweeps: searched(/^(?:-[A-Za-z]*[rRd].*|--(?:recursive|dereference-recursive|directories=.*))$/),
};

/** Not even where it may read whatever its options are. */
export const isUgrep = (words: readonly Word[]): boolean => words.some(({ value }) => runsInGrep.test(value));

export const rg: Program = {
  names: 'rg',
  words: 'names',
  sweeps: searched(),
  takes: [{ long: 'pre hostname-bin' }],
  reads: {
    short: 'abcFHhiIlLnNopPqsSuUvwxV.0A:B:C:e:f:g:j:m:M:r:t:T:d:E:',
    long: names(
      'after-context= before-context= context= case-sensitive ignore-case smart-case color= colors= column no-column count ' +
        'count-matches crlf context-separator= encoding= engine= files files-with-matches files-without-match fixed-strings ' +
        'follow glob= iglob= glob-case-insensitive heading no-heading help hidden ignore-file= include-zero invert-match ' +
        'json line-number no-line-number line-regexp max-columns= max-count= max-depth= max-filesize= multiline ' +
        'multiline-dotall no-config no-filename with-filename no-ignore no-ignore-vcs no-ignore-parent no-messages null ' +
        'null-data one-file-system only-matching passthru pcre2 pretty quiet regexp= file= replace= sort= sortr= stats text ' +
        'threads= trim type= type-not= type-list unrestricted version vimgrep word-regexp',
    ),
  },
};

export const ag: Program = { names: 'ag ack ugrep', sweeps: searched(), takes: [{ long: 'pager' }] };
