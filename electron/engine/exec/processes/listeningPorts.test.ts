import { expect, test } from 'vitest';
import { looksLikePrompt } from '../looksLikePrompt.ts';
import { parseLsof, parseNetstat, parseProcNet } from './listeningPorts.ts';

test('listening sockets of /proc/net/tcp are read, others not', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1435 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0
   1: 0100007F:1436 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4243 1 0 100 0 0 10 0
`;
  expect([...parseProcNet(table)]).toEqual([['4242', 5173]]);
});

test('ports in the output of lsof', () => {
  expect([...parseLsof('p12\nf5\nn127.0.0.1:5173\nn*:80\nn*:80\np13\nn[::1]:8080\n')]).toEqual([
    [12, [80, 5173]],
    [13, [8080]],
  ]);
});

test('ports in the output of netstat, in any language', () => {
  const text = `
  Proto  Lokale Adresse         Remoteadresse          Status           PID
  TCP    0.0.0.0:5173           0.0.0.0:0              ABHÖREN          12
  TCP    127.0.0.1:5174         127.0.0.1:9            HERGESTELLT      12
  TCP    [::]:80                [::]:0                 LISTENING        12
  TCP    0.0.0.0:81             0.0.0.0:0              LISTENING        99
`;
  expect([...parseNetstat(text, [12])]).toEqual([[12, [80, 5173]]]);
});

test.each([
  ['Continue? [y/N] ', true],
  ['Password: ', true],
  ['>>> ', true],
  ['Press any key to continue...', true],
  ['(END)', true],
  ['Compiling 12 of 30', false],
  ['', false],
  ['   ', false],
])('the last line %j looks like a prompt: %j', (line, expected) => {
  expect(looksLikePrompt(line)).toBe(expected);
});
