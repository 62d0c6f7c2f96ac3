import { closeSync, fstatSync, openSync } from 'node:fs';
import * as z from 'zod';
import { type Envelope, envelopeFault, isEnvelope } from '../../../shared/model/event.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { describeError, errnoOf } from '../base/log.ts';
import { journalVersion } from './journal.ts';
import { eachWholeLine, linesBefore } from './wholeLines.ts';

export interface JournalContent {
  /** Bytes up to the end of the last whole line; what follows was torn by a crash. */
  readonly wholeBytes: number;
  readonly torn: boolean;
  /** The first lines in the middle whose facts are none: passed over, and left in the file as they are. */
  readonly skipped: readonly SkippedLine[];
  /** How many there are in all. */
  readonly skippedCount: number;
}

export interface SkippedLine {
  /** 1-based. */
  readonly line: number;
  readonly why: string;
}

/** So many are described, which takes far longer than to see that a line holds no fact. */
const describedLines = 5;

/**
 * Gives each fact in turn. A torn last line and damaged ones in the middle are no error; where `take` throws, its fact is
 * one of them. `salvage`: whatever stands before or in place of the first fact is passed over too. `fromBytes`: where a line
 * begins, of a journal whose part before it is known. Errors: SESSION_NOT_FOUND, CONFIG_INVALID (newer version, not a journal, or the first fact is damaged), UNAVAILABLE (the system).
 */
export function eachFact(
  path: string,
  take: (fact: Envelope) => void,
  { salvage = false, fromBytes = 0 }: { readonly salvage?: boolean; readonly fromBytes?: number } = {},
): Result<JournalContent> {
  const skipped: SkippedLine[] = [];
  let skippedCount = 0;
  try {
    const file = openSync(path, 'r');
    try {
      let line = 0;
      let wrong: Result<never> | undefined;
      const isWhole = fromBytes === 0 && !salvage;
      const takeText = (text: string): boolean => {
        line += 1;
        if (line === 1 && fromBytes === 0) wrong = salvage ? undefined : headFault(path, text);
        else if (text !== '') {
          const fault = takeLine(text, take);
          // The first one says whose session it is: without it there is none.
          if (fault !== undefined && line === 2 && isWhole)
            wrong = fail('CONFIG_INVALID', `${path} is damaged where it begins (${fault()}); it is left as it is.`);
          else if (fault !== undefined) {
            skippedCount += 1;
            if (skippedCount <= describedLines) skipped.push({ line, why: fault() });
          }
        }
        return wrong === undefined;
      };
      const wholeBytes = eachWholeLine(file, takeText, fromBytes);
      if (line === 0 && isWhole) wrong = headFault(path, '');
      const before = skipped.length > 0 ? linesBefore(file, fromBytes) : 0;
      const numbered = skipped.map((one) => ({ ...one, line: before + one.line }));
      return wrong ?? ok({ wholeBytes, torn: wholeBytes < fstatSync(file).size, skipped: numbered, skippedCount });
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return fail('SESSION_NOT_FOUND', `There is no journal at ${path}.`);
    return fail('UNAVAILABLE', `The journal ${path} cannot be read: ${describeError(error)}`);
  }
}

/** All facts at once. Errors: those of `eachFact`. */
export function readJournal(path: string): Result<JournalContent & { readonly envelopes: readonly Envelope[] }> {
  const envelopes: Envelope[] = [];
  const read = eachFact(path, (fact) => envelopes.push(fact));
  return read.ok ? ok({ ...read.value, envelopes }) : read;
}

function headFault(path: string, line: string): Result<never> | undefined {
  const head = parseJson(line);
  const version =
    typeof head === 'object' && head !== null && 'journal' in head && typeof head.journal === 'number'
      ? head.journal
      : undefined;
  if (version === undefined) return fail('CONFIG_INVALID', `${path} is not a journal of Vise.`);
  if (version <= journalVersion) return undefined;
  return fail(
    'CONFIG_INVALID',
    `${path} was written by a newer Vise (journal version ${version}); it is left as it is. Update Vise to open it.`,
  );
}

/** One fact, or a list of facts that belong together; else why the line is none. */
function takeLine(line: string, take: (fact: Envelope) => void): (() => string) | undefined {
  const parsed = parseJson(line.replace(oldSeverity, (_, tone) => `"severe":${tone === 'red'}`));
  if (parsed === undefined) return () => 'not JSON';
  const facts = isEnvelope(parsed) ? [parsed] : parsed;
  if (!Array.isArray(facts) || !facts.every(isEnvelope))
    return () => envelopeFault(Array.isArray(facts) ? facts.find((fact) => !isEnvelope(fact)) : facts);
  try {
    const isOld = inlinePicture.test(line);
    for (const fact of facts) take(isOld ? withoutInlinePictures(fact) : fact);
    return undefined;
  } catch (error) {
    return () => describeError(error);
  }
}

/** How earlier versions wrote whether an approval is severe; within a text the quotes would be escaped. */
const oldSeverity = /"tone":"(plain|red)"(?=,"rememberable":)/g;

/** Where earlier versions wrote a picture into a result, in base64. */
const inlinePicture = /"(?:imageData|images)":/;

const withPictures = z.lazy(() =>
  z.union([
    z.looseObject({ imageData: z.string(), mimeType: z.string() }),
    z.looseObject({ images: z.array(z.object({ data: z.string(), mimeType: z.string() })).min(1) }),
  ]),
);

/** Such a picture is not kept any more; the result says so in its place. */
function withoutInlinePictures(envelope: Envelope): Envelope {
  const { event } = envelope;
  if (event.type !== 'tool.finished' || !event.result.success || event.brought) return envelope;
  const old = withPictures.safeParse(event.result.data);
  if (!old.success) return envelope;
  const note = '(a picture that an earlier version of Vise kept here; it is no longer shown)';
  const data = { ...old.data, ['imageData' in old.data ? 'imageData' : 'images']: note };
  return { ...envelope, event: { ...event, result: { ...event.result, data } } };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
