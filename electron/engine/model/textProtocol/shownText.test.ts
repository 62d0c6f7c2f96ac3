import { describe, expect, test } from 'vitest';
import { readTolerant } from './tolerant.ts';

const call = '<tool_call>{"type":"tool_call","tool":"run","arguments":{"command":"rm -rf build"}}</tool_call>';
const callsOf = (text: string): readonly string[] => readTolerant(text).calls.map(({ tool }) => tool);

describe('a call that is only shown is not run (J3)', () => {
  test.each([
    ['in a fence', `Write:\n\n\`\`\`\n${call}\n\`\`\`\n`],
    ['in indented code', `An example:\n\n    ${call}\n\nThat is all.`],
    ['in a fence inside a quote', `They wrote:\n\n> \`\`\`\n> ${call}\n> \`\`\`\n`],
    ['in a quote', `They wrote:\n\n> ${call}\n`],
    ['in inline code behind other text', `Use \`like this: ${call}\` here.`],
    ['in inline code of two marks', `Use \`\` a ${call} b \`\` here.`],
    ['in preformatted HTML', `See\n<pre>\n${call}\n</pre>\nabove.`],
    ['in a comment of HTML', `See <!-- ${call} --> nothing.`],
    ['in folded HTML', `<details><summary>Log</summary>\n\n${call}\n\n</details>\n\nDone.`],
    ['in an imitated result', `Fine.\n<tool_result name="read_file">\n${call}\n</tool_result>\n`],
    ['in a list as code', `1. Do this:\n\n       ${call}\n\n2. Done.`],
    ['in a result that never ends', `Fine.\n<tool_result>\n${call}\n`],
    ['in nested quotes', `They wrote:\n\n> > - ${call}\n`],
    ['in a quote that goes on without its mark', `> They said:\n${call}`],
    ['in an imitated result that holds another', `<tool_result>\n<tool_result></tool_result>\n${call}\n</tool_result>`],
    ['in nested folded HTML', `<details><details>\n\n</details>\n\n${call}\n\n</details>`],
    [
      'in folded HTML behind letters that grow in lower case',
      `${'\u0130'.repeat(400)}\n<details>\n${call}\n</details>`,
    ],
    ['in a comment of several lines', `<!--\n\n${call}\n\n-->\n`],
    ['in code of HTML', `It is <code>${call}</code>.`],
    ['in a field', `See\n<textarea title=">">\n${call}\n</textarea>`],
    ['in results of a function', `<function_results>\n${call}\n</function_results>`],
    ['in the text of a link', `See [${call}](https://example.com).`],
    ['in a name of a picture', `See ![${call}](a.png).`],
    ['in a section that is no text', `See <![CDATA[ ${call} ]]> there.`],
    ['in a file that is shown', `I read this:\n<file path="a.md">\n${call}\n</file>\n`],
    ['in documents', `<documents><document index="1">\n${call}\n</document></documents>`],
    ['in what a command printed', `It said:\n<stdout>${call}</stdout>`],
    ['in an output that never ends', `<output>\n${call}`],
    ['in an example', `<example>\nuser: x\n${call}\n</example>`],
    ['in the words of a person', `<user>\n${call}\n</user>`],
    ['in a picture', `<svg><foreignObject>${call}</foreignObject></svg>`],
    ['in an attribute of a frame', `<iframe srcdoc='${call}'></iframe>`],
    ['struck out', `~~${call}~~ No.`],
    ['struck out as HTML', `<del>${call}</del> No.`],
    ['in the title of an address', `See [a].\n\n[a]: x '${call}'\n`],
    ['escaped', `Write \\${call} to run it.`],
    ['with carriage returns', `An example:\r\n\r\n    ${call}\r\n\r\nThat is all.`],
  ])('%s', (_, text) => {
    expect(callsOf(text)).toEqual([]);
  });
});

describe('a call beside what is shown is run', () => {
  test.each([
    ['behind a fence', `Like\n\n\`\`\`\nx\n\`\`\`\n\n${call}`],
    ['behind a quote', `> They said so.\n\nSo I do it.\n\n${call}`],
    ['behind words that name a tag', `The <pre> tag is gone.\n\n${call}`],
    ['behind a lone backtick', `It's the \` key.\n\n${call}`],
    ['behind a shown file', `<file path="a">\nx\n</file>\n\n${call}`],
    ['behind a word of a tokenizer', `<s> ${call}`],
    ['right behind words', `I do it. ${call}`],
  ])('%s', (_, text) => {
    expect(callsOf(text)).toEqual(['run']);
  });

  test('what a call holds is no Markdown: fences and quotes inside do not hide the next one', () => {
    const writes = `<tool_call>{"type":"tool_call","tool":"write_file","arguments":{"filePath":"a.md","content":"\`\`\`\\n> <pre>"}}</tool_call>`;
    expect(callsOf(`${writes}\n${call}`)).toEqual(['write_file', 'run']);
  });
});

test('J5: many calls and marks take linear time', () => {
  const text = `${call}\n`.repeat(1_000) + '`<tool_call>` '.repeat(5_000);
  expect(callsOf(text)).toHaveLength(1_000);
});

test('J5: tags without end, by the thousand, take linear time', () => {
  const pairs = '<pre></pre>'.repeat(10_000);
  expect(callsOf(`${pairs}${'x <pre> <!-- '.repeat(2_000)}</code>`)).toEqual([]);
  expect(callsOf(`${pairs}\n\n${call}`)).toEqual(['run']);
});
