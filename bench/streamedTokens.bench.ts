import { messagesStream, responsesStream } from '../e2e/providers/streams.ts';
import { openLab, type Program, type RunOptions } from './measure/agentRun.ts';
import { byTurns, compare, isSmoke, report } from './measure/report.ts';

// CPU seconds of a whole `vise exec` whose one reply comes in 20,000 pieces, against a bare program on
// node:http, and against the `openai` package with nothing around it. The same over Responses (also through the package)
// and over Messages.

const pieces = isSmoke ? 200 : 20_000;
const lab = openLab();
const replies = [{ text: 'token '.repeat(pieces), chunk: 'token '.length }];
const cpu = async (which: Program): Promise<number> => (await lab.run(which, replies)).cpuSeconds;
const whole = {
  id: 'a',
  parts: [{ text: 'token '.repeat(pieces) }],
  chunk: 'token '.length,
  usage: { fresh: 9, cached: 0, written: 0, output: pieces },
};
/** About an event a write, as providers send them. */
const written = {
  responses: { raw: responsesStream(whole), bytes: 170 },
  messages: { raw: messagesStream(whole), bytes: 130 },
};
const dialects: readonly (readonly [name: string, options: RunOptions & { readonly dialect: keyof typeof written }])[] =
  [
    ['Responses', { dialect: 'responses' }],
    ['ResponsesPackage', { dialect: 'responses', asOpenAi: true }],
    ['Messages', { dialect: 'messages' }],
  ];

try {
  const ours = (): Promise<number> => cpu('ours');
  report(compare('streamedTokens', 's CPU', await byTurns(7, { ours, reference: () => cpu('reference') })));
  report(compare('streamedTokensSdk', 's CPU', await byTurns(7, { ours, reference: () => cpu('sdk') })));
  for (const [name, options] of dialects) {
    const run = async (which: Program): Promise<number> =>
      (await lab.run(which, [written[options.dialect]], which === 'ours' ? options : {})).cpuSeconds;
    const both = { ours: () => run('ours'), reference: () => run('reader') };
    report(compare(`streamedTokens${name}`, 's CPU', await byTurns(7, both)));
  }
} finally {
  lab.remove();
}
