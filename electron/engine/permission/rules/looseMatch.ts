import { isLiteral, type Word } from '../../shell/parse/line.ts';
import { bestHit, type Hit, sameFlag, takesRest, worstHit } from '../../shell/sameFlag.ts';

/** A program and what follows it, wherever it was found. */
export interface ProgramWords {
  /** Its bare name. */
  readonly program: string;
  readonly rest: readonly Word[];
  /** More words come when it runs (`xargs`). */
  readonly open: boolean;
}

interface Flag {
  /** Without dashes; `+` and `:` for a refspec that begins so. */
  readonly name: string;
  readonly value?: string | undefined;
  readonly hit: 'yes' | 'maybe';
}

type Token =
  | { readonly kind: 'operand'; readonly value: string; readonly afterFlag: boolean }
  | { readonly kind: 'flag'; readonly flags: readonly Flag[]; readonly next: Word | undefined }
  | { readonly kind: 'unknown'; readonly mayBeFlag: boolean };

/**
 * Whether a rule that forbids could mean this, however its options are written: in another order or place, in a cluster,
 * by their long or short name, shortened, with a glued value. Names without dashes keep their order. `wanted` is what the
 * rule says after the program.
 */
export function looseMatch(wanted: readonly string[], given: ProgramWords): Hit {
  const verb = given.rest.find((word) => isLiteral(word) && !word.value.startsWith('-'))?.value;
  const tokens = tokensOf(given, verb);
  return bestHit([matchAs(wanted, false, tokens, given, verb), matchAs(wanted, true, tokens, given, verb)]);
}

/** `valued`: a name behind an option of the rule is that option's value (`-X DELETE`). */
function matchAs(
  wanted: readonly string[],
  valued: boolean,
  tokens: readonly Token[],
  given: ProgramWords,
  verb: string | undefined,
): Hit {
  const hits: Hit[] = [];
  const operands: string[] = [];
  let found = false;
  for (let index = 0; index < wanted.length; index += 1) {
    const word = wanted[index] ?? '';
    if (word === '--') continue;
    if (!isFlag(word)) {
      operands.push(word);
      continue;
    }
    const next = wanted[index + 1];
    const takesNext = valued && next !== undefined && !isFlag(next);
    if (takesNext) {
      index += 1;
      found = true;
    }
    hits.push(wantedFlag(word, takesNext ? next : undefined, tokens, given, verb));
  }
  if (valued && !found) return 'no'; // the same question as without
  return worstHit([operandsMatch(operands, tokens, given.open), ...hits]);
}

const isFlag = (word: string): boolean => /^-./.test(word);

/** `git push origin +main` forces, `:main` deletes. */
const isRefspec = (word: string, program: string): boolean => program === 'git' && /^[+:]./.test(word);

/** The rule's names must be the first of the command; one behind an option may be its value and is passed over. */
function operandsMatch(wanted: readonly string[], tokens: readonly Token[], open: boolean): Hit {
  let at = 0;
  let certain = true;
  for (const token of tokens) {
    if (at === wanted.length) break;
    if (token.kind === 'flag') continue;
    if (token.kind === 'unknown') return 'maybe';
    if (token.value === wanted[at]) at += 1;
    else if (token.afterFlag) certain = false;
    else return 'no';
  }
  if (at < wanted.length) return open ? 'maybe' : 'no';
  return certain ? 'yes' : 'maybe';
}

function wantedFlag(
  word: string,
  separate: string | undefined,
  tokens: readonly Token[],
  given: ProgramWords,
  verb: string | undefined,
): Hit {
  const [, dashes = '', body = ''] = /^(--?)(.*)$/s.exec(word) ?? [];
  const [name = '', ...glued] = body.split('=');
  const value = separate ?? (glued.length > 0 ? glued.join('=') : undefined);
  const isCluster = dashes === '-' && name.length > 1;
  const one = (single: string, wantedValue: string | undefined): Hit => {
    const hits = tokens.map((token): Hit => {
      if (token.kind === 'unknown') return token.mayBeFlag ? 'maybe' : 'no';
      return token.kind === 'flag' ? flagHit(single, wantedValue, token, given.program, verb) : 'no';
    });
    return given.open ? bestHit([...hits, 'maybe']) : bestHit(hits);
  };
  if (!isCluster) return one(name, value);
  const first = name[0] ?? '';
  if (takesRest(given.program, verb, first) === true) return one(first, body.slice(1));
  // `-rf` is two options for rm and one for other programs.
  return bestHit([one(name, value), worstHit([...name].map((char) => one(char, undefined)))]);
}

function flagHit(
  wanted: string,
  value: string | undefined,
  { flags, next }: Token & { kind: 'flag' },
  program: string,
  verb: string | undefined,
): Hit {
  return bestHit(
    flags.map((flag): Hit => {
      const same = worstHit([sameFlag(program, verb, wanted, flag.name), flag.hit]);
      if (same === 'no' || value === undefined) return same;
      if (flag.value !== undefined) return flag.value === value ? same : 'no';
      if (next === undefined) return 'no';
      return isLiteral(next) ? (next.value === value ? same : 'no') : 'maybe';
    }),
  );
}

function tokensOf({ program, rest }: ProgramWords, verb: string | undefined): readonly Token[] {
  const tokens: Token[] = [];
  let ended = false;
  let afterFlag = false;
  let isValue = false;
  for (const [index, word] of rest.entries()) {
    if (isValue) {
      // It belongs to the option before it, which looks at it there.
      isValue = false;
      afterFlag = false;
    } else if (!isLiteral(word)) {
      tokens.push({ kind: 'unknown', mayBeFlag: !ended && mayBeFlag(word) });
      afterFlag = false;
    } else if (!ended && word.value === '--') ended = true;
    else if (!ended && isFlag(word.value)) {
      tokens.push({ kind: 'flag', flags: flagsIn(word.value, program, verb), next: rest[index + 1] });
      isValue = takesNext(word.value, program, verb);
      afterFlag = !word.value.includes('=');
    } else {
      if (isRefspec(word.value, program))
        tokens.push({ kind: 'flag', flags: [{ name: word.value.slice(0, 1), hit: 'yes' }], next: undefined });
      tokens.push({ kind: 'operand', value: word.value, afterFlag });
      afterFlag = false;
    }
  }
  return tokens;
}

/** An unquoted expansion may become several words, and a pattern may meet a file that is called like an option. */
function mayBeFlag(word: Word): boolean {
  const [first] = word.pieces;
  const startsPlain = first?.kind === 'text' && !first.text.startsWith('-') && first.text !== '';
  if (!startsPlain) return first?.kind !== 'tilde';
  return word.pieces.some(
    (piece) => piece.kind === 'brace' || piece.kind === 'substitution' || (piece.kind === 'variable' && !piece.quoted),
  );
}

/** Only where the program's options are known. */
function takesNext(word: string, program: string, verb: string | undefined): boolean {
  if (word.startsWith('--')) return takesRest(program, verb, word.slice(2)) === true;
  const taking = [...word.slice(1)].findIndex((char) => takesRest(program, verb, char) === true);
  return taking >= 0 && taking === word.length - 2;
}

function flagsIn(word: string, program: string, verb: string | undefined): readonly Flag[] {
  const [, dashes = '', name = '', , glued] = /^(--?)([^=]*)(=(.*))?$/s.exec(word) ?? [];
  const whole: Flag = { name, value: glued, hit: 'yes' };
  if (dashes === '--' || name.length < 2) return [whole];
  const flags: Flag[] = [whole];
  const text = word.slice(1);
  let certain = true;
  for (const [at, char] of [...text].entries()) {
    if (at > 0 && char === '=') break;
    const rest = text.slice(at + 1).replace(/^=/, '');
    flags.push({ name: char, value: rest === '' ? undefined : rest, hit: certain ? 'yes' : 'maybe' });
    const takes = takesRest(program, verb, char);
    if (takes === true) break;
    // What follows may be this option's value, where the program is not known.
    if (takes === undefined && text.length > 4) certain = false;
    if (!/[A-Za-z0-9]/.test(char)) break;
  }
  return flags;
}
