import { expect, test } from 'vitest';
import { testBench } from '../../testing/engineForTest.ts';

const files = {
  'src/parser.ts': 'export class Parser {}\nexport const parseAll = 1;\nfunction parse() {}\n// parser is nice\n',
  'lib/parse_it.py': 'def parse_line(text):\n    return parse(text)\n',
  'my notes/parse.md': 'class Parsed in prose\n',
  'a.txt': 'old words\n',
};
const edit = { calls: [{ tool: 'edit_file', input: { filePath: 'a.txt', oldStr: 'old', newStr: 'new' } }] };

async function open() {
  const bench = testBench(files, { allow: 'dangerous' });
  const session = await bench.session([edit, { text: 'Done.' }]);
  await session.say('Change it.');
  const find = async (query: string, limit = 20) => {
    const asked = { project: bench.project, session: session.id, query, limit };
    const answer = await bench.client.call('mention.find', asked);
    return answer.ok ? answer.value.choices : answer.error;
  };
  return { bench, session, find };
}

test('completes symbols by the beginning of their name, whatever its case, the whole name first', async () => {
  const { find } = await open();
  const choices = [
    { kind: 'symbol', mention: 'symbol:src/parser.ts#parse', label: 'parse', note: 'src/parser.ts:3' },
    { kind: 'symbol', mention: 'symbol:lib/parse_it.py#parse_line', label: 'parse_line', note: 'lib/parse_it.py:1' },
    { kind: 'symbol', mention: 'symbol:src/parser.ts#Parser', label: 'Parser', note: 'src/parser.ts:1' },
    { kind: 'symbol', mention: 'symbol:src/parser.ts#parseAll', label: 'parseAll', note: 'src/parser.ts:2' },
  ];
  expect(await find('symbol:parse')).toEqual(choices);
  expect(await find('symbol:parse', 2)).toEqual(choices.slice(0, 2));
  expect(await find('symbol:p')).toEqual([]);
  expect(await find('symbol:par(se')).toEqual([]);
});

test('completes what is typed with files first, then symbols, then what the session has', async () => {
  const { find, session } = await open();
  const id = session.mirror().changeSets[0]?.id ?? '';
  const change = { kind: 'change', mention: `change:${id}`, label: 'a.txt', note: 'applied' };
  const kinds = async (query: string) => {
    const found = await find(query);
    return Array.isArray(found) ? found.map(({ kind, mention }) => `${kind} ${mention}`) : found;
  };
  expect(await kinds('parseA')).toEqual(['symbol symbol:src/parser.ts#parseAll']);
  expect(await kinds('notes')).toEqual(['folder my notes/', 'file my notes/parse.md']);
  expect(await find('a.txt')).toEqual([{ kind: 'file', mention: 'a.txt', label: 'a.txt', note: '' }, change]);
  expect(await find('change:')).toEqual([change]);
  expect(await find('change:none')).toEqual([]);
  expect(await find('task:')).toEqual([]);
});

test('needs no session for what lies in the project', async () => {
  const { bench } = await open();
  const answer = await bench.client.call('mention.find', { project: bench.project, query: 'symbol:parseA', limit: 5 });
  expect(answer).toMatchObject({ ok: true, value: { choices: [{ label: 'parseAll' }] } });
});
