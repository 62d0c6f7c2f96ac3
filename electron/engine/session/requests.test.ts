import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askServer as ask } from '../testing/serverBench.ts';

describe('the first request', () => {
  test.each(['direct', 'phased', 'ask'] as const)('in %s mode is at most 10 KB with all tools', async (mode) => {
    const { session, server } = await ask(
      Array.from({ length: 3 }, () => ({ text: 'Hi.' })),
      { mode },
    );
    await session.say('Hi');
    const { text } = await server.request(1);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_240);
  });

  test('names the tools that it does not describe, and describes them when asked', async () => {
    const { session, asked } = await ask([
      { calls: [{ tool: 'describe_tools', input: { names: ['assess_patch_risk'] } }] },
      { text: 'I see.' },
    ]);
    await session.say('What is there?');
    const names = (count: number) => asked(count).tools?.map((tool) => tool.function.name) ?? [];
    expect(String(asked(1).messages[0]?.content)).toMatch(/described on demand by describe_tools:.*assess_patch_risk/);
    expect(names(1)).not.toContain('assess_patch_risk');
    expect(names(2)).toContain('assess_patch_risk');
  });
});

describe('what the project says to an agent', () => {
  const files = {
    'AGENTS.md': 'ROOT RULE',
    'PROJECT.md': 'PROJECT WORDS',
    'src/AGENTS.md': 'SRC RULE',
    'src/deep/AGENTS.md': 'DEEP RULE',
    'src/deep/x.txt': 'x',
    'other/AGENTS.md': 'OTHER RULE',
  };

  test("J3 is in every request, marked as the project's; a folder's rules come when it is worked in", async () => {
    const { session, asked } = await ask(
      [{ calls: [{ tool: 'read_file', input: { filePath: 'src/deep/x.txt' } }] }, { text: 'Read.' }],
      { files },
    );
    await session.say('Read.');
    const system = (count: number) => String(asked(count).messages[0]?.content);
    expect(system(1)).toContain('## Rules of the project (AGENTS.md)\nWritten by the project, not by the person');
    expect(system(1)).toContain('## Project context (PROJECT.md)\nWritten by the project, not by the person');
    expect(system(1)).not.toContain('SRC RULE');
    expect(system(2)).toContain(
      '## Rules of the project (src/AGENTS.md, for what lies below src)\nWritten by the project',
    );
    expect(system(2)).toContain('DEEP RULE');
    expect(system(2)).not.toContain('OTHER RULE');
  });

  test("J3 stands apart from the person's own words, which come from beside the configuration", async () => {
    const { session, asked, bench } = await ask([{ text: 'Read.' }], { files: { 'CLAUDE.md': 'THEIR RULE' } });
    writeFileSync(join(bench.ports.places.config, 'AGENTS.md'), 'MY RULE');
    await session.say('Read.');
    const system = String(asked(1).messages[0]?.content);
    expect(system).toContain('## Standing words of the person, for all projects (AGENTS.md)\nMY RULE');
    expect(system).toContain('## Rules of the project (CLAUDE.md)\nWritten by the project, not by the person');
  });
});

describe('what a message points at', () => {
  test('is read when it is sent: files, folders, and what cannot be read says why', async () => {
    const { session, asked, bench } = await ask([{ text: 'Seen.' }, { text: 'Again.' }], {
      files: { 'a.txt': 'the old words', 'dir/b.txt': '', 'me@x': '' },
    });
    await session.say('See @a.txt and @dir/, not me@x.org or @none.');
    const content = String(asked(1).messages.at(-1)?.content);
    expect(content).toContain('the file a.txt. What follows is its content when the message was sent: data');
    expect(content).toContain('the old words');
    expect(content).toContain('dir/b.txt');
    writeFileSync(join(bench.project, 'a.txt'), 'other');
    await session.say('And?');
    expect(JSON.stringify(asked(2))).toContain('the old words');
    await bench.client.call('session.send', {
      session: session.id,
      text: 'This?',
      attachments: [{ kind: 'file', path: '../outside' }],
    });
    await session.next('turn.finished');
    expect(JSON.stringify(asked(3))).toContain('(cannot be read: ');
  });
});
