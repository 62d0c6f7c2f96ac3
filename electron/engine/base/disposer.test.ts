import { describe, expect, test } from 'vitest';
import { Disposer } from './disposer.ts';

describe('Disposer', () => {
  test('closes in reverse order and only once', () => {
    const closed: string[] = [];
    const disposer = new Disposer();
    disposer.defer(() => closed.push('a'));
    disposer.defer(() => closed.push('b'));
    disposer.dispose();
    disposer.dispose();
    expect(closed).toEqual(['b', 'a']);
  });

  test('closes at once what is added after the end', () => {
    const closed: string[] = [];
    const disposer = new Disposer();
    disposer.dispose();
    disposer.defer(() => closed.push('late'));
    expect(closed).toEqual(['late']);
  });

  test('closes the rest although one fails, and says so', () => {
    const closed: string[] = [];
    const disposer = new Disposer();
    disposer.defer(() => closed.push('first'));
    disposer.defer(() => {
      throw new Error('stuck');
    });
    expect(() => disposer.dispose()).toThrow('something could not be closed');
    expect(closed).toEqual(['first']);
  });
});
