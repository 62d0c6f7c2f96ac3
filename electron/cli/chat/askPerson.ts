import type { Client } from '../../../shared/contract/client.ts';
import { type Asked, allAsked, answerText, type Said } from '../../../shared/model/asked.ts';
import type { Approval, Decision } from '../../../shared/model/call.ts';
import type { EventOf } from '../../../shared/model/event.ts';
import type { Intent } from '../../../shared/model/intent.ts';
import { ruleText } from '../../../shared/model/rule.ts';
import { visible } from '../../../shared/text/visible.ts';
import { diffOfFile } from '../../engine/workspace/diffOfFile.ts';
import { homePath } from '../base/homePath.ts';
import type { Io } from '../base/io.ts';
import { keptText } from '../base/keptText.ts';
import { hunkLines } from '../terminal/diffLines.ts';
import type { Screen } from '../terminal/screen.ts';
import { indented } from '../terminal/spans.ts';
import type { Terminal } from './terminal.ts';

export interface AskDeps {
  readonly io: Io;
  readonly terminal: Terminal;
  readonly client: Client;
  readonly session: string;
  /** The terminal of a person who sees the question before answering it; a pipe has none. */
  readonly screen?: Screen | undefined;
}

/**
 * Puts one question before the person and sends the answer. Only y and yes accept, n refuses, with a reason behind it; on a terminal
 * s and a also remember. Anything else asks again; the end of input is a no, and of a pipe
 * nobody's answer.
 */
export async function askPerson(
  deps: AskDeps,
  asked: EventOf<'permission.asked'>,
  proposed: EventOf<'tool.proposed'> | undefined,
): Promise<void> {
  const { io, terminal, client, session } = deps;
  const { call, approval } = asked;
  const intent = proposed?.intent;
  if (intent?.preview.kind === 'question') {
    const answer = await answerInWords(allAsked(intent.preview), terminal);
    const decision = answer === undefined ? 'deny' : 'once';
    await client.call('permission.answer', { session, call, decision, answer });
    return;
  }
  if (intent) await describe(intent, deps);
  const { offer } = approval;
  if (offer) io.out(`h: also without asking for ${offer.minutes} minutes in ${shown(offer.place)}\n`);
  const prompt = promptOf(approval, proposed?.tool ?? 'this', deps.screen);
  for (;;) {
    const given = await answerTo(prompt, approval, deps, intent?.preview.kind === 'changes');
    if (given === 'again') continue;
    const sent = await client.call('permission.answer', { session, call, ...given });
    if (sent.ok || given.decision === 'deny') return;
    io.out(`error: ${shown(sent.error.message)}\n`);
  }
}

/** One question after the other; the end of input answers none of them. */
async function answerInWords(asked: readonly Asked[], terminal: Terminal): Promise<string | undefined> {
  const said: Said[] = [];
  for (const [at, { question, choices = [], isMultiple = false }] of asked.entries()) {
    const number = asked.length === 1 ? '' : `(${at + 1} of ${asked.length}) `;
    const listed = choices.map((choice, index) => `  ${index + 1}  ${shown(choice)}\n`).join('');
    const several = isMultiple ? '  several, as in 1,2\n' : '';
    const line = await terminal.answer(`${number}${shown(question)}\n${listed}${several}> `);
    if (line === undefined) return undefined;
    const picked = chosen(choices, isMultiple ? line.split(',') : [line]);
    said.push(picked ? { picked, text: '' } : { picked: [], text: line });
  }
  return answerText(asked, said);
}

/** The choices that these numbers stand for; undefined when they are words. */
function chosen(choices: readonly string[], numbers: readonly string[]): readonly string[] | undefined {
  const picked = numbers.map((number) => (/^\s*\d{1,2}\s*$/.test(number) ? choices[Number(number) - 1] : undefined));
  return picked.every((choice) => choice !== undefined) ? [...new Set(picked)] : undefined;
}

/** Columns in which an answer is typed beside its question. */
const roomToAnswer = 3;

function promptOf({ reasons, rememberable, offer }: Approval, tool: string, screen: Screen | undefined): string {
  const why = reasons.length > 0 ? ` (${shown(reasons.join('; '))})` : '';
  if (!screen) return `Allow ${shown(tool)}${why}? ${offer ? 'y/h/N' : 'y/N'} `;
  const more = [...(offer ? ['h hour'] : []), ...(rememberable ? ['s session', 'a always'] : [])];
  const question = `Allow ${shown(tool)}?`;
  const answers = `${['y once', ...more, 'n no', '?'].join(', ')} `;
  const fits = question.length + answers.length + roomToAnswer < (screen?.columns() ?? 0);
  return `${why === '' ? '' : `${why.slice(2, -1)}\n`}${question}${fits ? ' ' : '\n  '}${answers}`;
}

interface Given {
  readonly decision: Decision;
  readonly unanswered?: boolean | undefined;
  readonly reason?: string | undefined;
}

async function answerTo(prompt: string, approval: Approval, deps: AskDeps, isEdit: boolean): Promise<Given | 'again'> {
  const { io, terminal, screen } = deps;
  const said = await terminal.answer(prompt);
  // The end of a pipe is nobody's answer.
  if (said === undefined) return { decision: 'deny', unanswered: screen === undefined };
  const [, word = '', reason = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(said) ?? [];
  const letter = word.toLowerCase();
  if (letter === 'n' || letter === 'no') return { decision: 'deny', reason: reason === '' ? undefined : reason };
  if (screen && isEdit && ['t', 'try'].includes(letter)) {
    const sent = await deps.client.call('change.rehearse', { session: deps.session, allow: 'session' });
    io.out(sent.ok ? 'It is tried; what checks say of it is told here.\n' : `error: ${shown(sent.error.message)}\n`);
    return 'again';
  }
  if (reason === '') {
    if (letter === 'y' || letter === 'yes') return { decision: 'once' };
    if (approval.offer && (letter === 'h' || letter === 'hour')) return { decision: 'hour' };
    if (screen && (letter === 's' || letter === 'session')) return remembered('session', approval, deps);
    if (screen && (letter === 'a' || letter === 'always')) return remembered('always', approval, deps);
  }
  io.out(screen === undefined ? 'y allows it, n refuses it.\n' : helpText(approval, isEdit));
  return 'again';
}

function helpText({ rememberable, offer }: Approval, isEdit: boolean): string {
  const rows = [
    ['y', 'this once'],
    ...(offer ? [['h', `this tool in this folder for ${offer.minutes} minutes`]] : []),
    ...(rememberable
      ? [
          ['s', 'until this session ends, by a rule that is shown'],
          ['a', 'always in this project, by a rule that is shown first'],
        ]
      : []),
    ...(isEdit ? [['t', 'try it first, on a copy, by the checks of the project']] : []),
    ['n', 'no; words behind it are told to the model'],
  ];
  const only = rememberable ? '' : 'Nothing remembers this: it is asked each time.\n';
  return `${rows.map(([key, what]) => `  ${key}  ${what}\n`).join('')}${only}`;
}

/** What would be remembered is shown; *always* wants a yes to it. */
async function remembered(decision: 'session' | 'always', approval: Approval, deps: AskDeps): Promise<Given | 'again'> {
  const { io, terminal } = deps;
  if (!approval.rememberable) {
    io.out('This can only be allowed once.\n');
    return 'again';
  }
  const rules = approval.suggestions.map((rule) => `  ${shown(ruleText(rule))}\n`).join('');
  io.out(`${decision === 'session' ? 'Until this session ends' : 'Always in this project'}:\n${rules}`);
  if (decision === 'session') return { decision };
  const sure = await terminal.answer('Save it? y/N ');
  return /^\s*y(es)?\s*$/i.test(sure ?? '') ? { decision } : 'again';
}

async function describe({ preview, summary }: Intent, deps: AskDeps): Promise<void> {
  const { io, screen } = deps;
  switch (preview.kind) {
    case 'command':
      // On a terminal the command stands above already, as the call that was proposed.
      return screen === undefined
        ? io.out(`${shown(preview.command)}\n  in ${shown(preview.cwd)}\n`)
        : io.out(`  in ${shown(homePath(preview.cwd, io))}\n`);
    case 'changes':
      for (const change of preview.changes) {
        const diff = await diffOfFile(change, keptText(deps.client, deps.session));
        const counts = `+${change.additions} −${change.deletions}`;
        if (change.protectedBy !== undefined) io.out(`! ${shown(change.protectedBy)}\n`);
        if (diff === undefined) io.out(`${change.status} ${shown(change.path)} (binary, ${counts})\n`);
        else if (screen) {
          screen.print(indented(`  ${change.status} ${shown(change.path)} ${counts}`, screen.columns() - 1));
          screen.print(hunkLines(shown(diff), screen.columns() - 1));
        } else io.out(shown(diff));
      }
      return;
    case 'text':
      return io.out(`${shown(preview.title)}\n${shown(preview.text)}\n`);
    case 'none':
    case 'question':
      return screen === undefined ? io.out(`${shown(summary)}\n`) : undefined;
  }
}

/** What a terminal would obey or hide is made visible: what is approved must be what is read. */
function shown(text: string): string {
  return visible(text).text;
}
