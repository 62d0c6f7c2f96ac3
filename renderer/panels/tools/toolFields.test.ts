import { expect, test } from 'vitest';
import { toolFields, toolInput } from './toolFields.ts';

const schema = {
  type: 'object',
  properties: {
    recursive: { type: 'boolean' },
    filePath: { type: 'string', description: 'Below the project' },
    content: { type: 'string' },
    limit: { type: 'integer' },
    mode: { type: 'string', enum: ['fast', 'whole'] },
    patterns: { type: 'array', items: { type: 'string' } },
  },
  required: ['filePath', 'content'],
};

test('a form is made of the schema, what is required first', () => {
  expect(toolFields(schema).map(({ name, kind, required }) => [name, kind, required])).toEqual([
    ['filePath', 'text', true],
    ['content', 'long', true],
    ['recursive', 'yesNo', false],
    ['limit', 'number', false],
    ['mode', 'choice', false],
    ['patterns', 'json', false],
  ]);
  expect(toolFields({})).toEqual([]);
});

test('what is typed becomes the input, and what is left empty is left out', () => {
  const fields = toolFields(schema);
  expect(
    toolInput(fields, { filePath: 'a.txt', limit: '3', recursive: 'true', patterns: '["*.ts"]', mode: '' }),
  ).toEqual({
    input: { filePath: 'a.txt', content: '', limit: 3, recursive: true, patterns: ['*.ts'] },
  });
});

test('a field that cannot be read is named', () => {
  const fields = toolFields(schema);
  expect(toolInput(fields, { filePath: 'a', patterns: '[' })).toEqual({ wrong: 'patterns' });
  expect(toolInput(fields, { filePath: 'a', limit: 'many' })).toEqual({ wrong: 'limit' });
});
