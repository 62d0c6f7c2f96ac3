import { readRedirect } from './redirects.ts';
import { lineEndInWord, looksAt, newCommand, type Scan, skipBlanks, stop } from './scan.ts';
import { readPattern, readWord } from './words.ts';

/**
 * `[[ … ]]`. For bash it runs nothing; for a `sh` without it, `&&` and `||` in it separate commands and `<` `>` redirect.
 * So operands behind those operators count as commands, unless they begin with an operator of tests.
 */
export function readCondition(scan: Scan): void {
  scan.at += 2;
  let command = newCommand(scan, 'condition');
  for (;;) {
    skipBlanks(scan);
    if (/^\]\](?=[\s;&|<>()]|$)/.test(scan.text.slice(scan.at, scan.at + 3))) break;
    if (scan.at >= scan.text.length) stop('a [[ is not closed');
    if (looksAt(scan, '\n')) {
      lineEndInWord(scan);
      scan.at += 1;
    } else if (looksAt(scan, '&&') || looksAt(scan, '||')) {
      scan.at += 2;
      skipBlanks(scan);
      command = newCommand(scan, /[-!([]/.test(scan.text[scan.at] ?? '') ? 'condition' : 'command');
    } else if (looksAt(scan, '(') || looksAt(scan, ')')) scan.at += 1;
    else if (looksAt(scan, '#')) stop('a [[ contains a comment');
    else if (!readRedirect(scan, command)) {
      const word = command.words.at(-1)?.raw === '=~' ? readPattern(scan) : readWord(scan);
      if (!word) stop('a [[ contains an operator that may not stand there');
      command.words.push(word);
    }
  }
  scan.at += 2;
  do skipBlanks(scan);
  while (readRedirect(scan, command));
}
