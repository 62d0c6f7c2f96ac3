import { expect, test } from 'vitest';
import { screenAction } from './screenKeys.ts';

const press = (key: string, ...held: ('ctrl' | 'meta' | 'shift')[]) => ({
  key,
  code: '',
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: false,
  shiftKey: held.includes('shift'),
});

test('Ctrl+C copies what is selected, and interrupts the program otherwise', () => {
  expect([screenAction(press('c', 'ctrl'), true, false), screenAction(press('c', 'ctrl'), false, false)]).toEqual([
    'copy',
    undefined,
  ]);
});

test('on a Mac the Command key copies, selects, finds and pastes, and Ctrl stays the program’s', () => {
  const actions = ['c', 'a', 'f', 'v'].map((key) => [
    screenAction(press(key, 'meta'), true, true),
    screenAction(press(key, 'ctrl'), true, true),
  ]);
  expect(actions).toEqual([
    ['copy', undefined],
    ['selectAll', undefined],
    ['find', undefined],
    ['paste', undefined],
  ]);
});

test('lines are selected by the keyboard, all of them or one by one', () => {
  expect(['A', 'ArrowUp', 'ArrowDown'].map((key) => screenAction(press(key, 'ctrl', 'shift'), false, false))).toEqual([
    'selectAll',
    'selectUp',
    'selectDown',
  ]);
});

test('plain keys are the program’s', () => {
  expect(['a', 'ArrowUp', 'Enter', 'Tab'].map((key) => screenAction(press(key), true, false))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('Ctrl+F is the shell’s where one can type, and Ctrl+Shift+F searches there', () => {
  const keys = [press('f', 'ctrl'), press('F', 'ctrl', 'shift')];
  expect([
    keys.map((key) => screenAction(key, false, false, true)),
    screenAction(press('f', 'ctrl'), false, false),
  ]).toEqual([[undefined, 'find'], 'find']);
});
