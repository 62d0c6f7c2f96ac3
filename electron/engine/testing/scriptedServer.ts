/**
 * A language server in small, as a program of Node: every line that says BAD is an error. A line of a file may also have it
 * `CRASH`, `HANG` (it says nothing of that file), `FLOOD` (it writes without end) or speak in `RIDDLES` (no protocol at all).
 */
export const scriptedServer = `
const say = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
};
let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const head = rest.indexOf('\\r\\n\\r\\n');
    if (head < 0) return;
    const length = Number(/Content-Length: (\\d+)/i.exec(rest.subarray(0, head))[1]);
    if (rest.length < head + 4 + length) return;
    const message = JSON.parse(rest.subarray(head + 4, head + 4 + length));
    rest = rest.subarray(head + 4 + length);
    take(message);
  }
});
process.stdin.on('end', () => process.exit());
function take({ id, method, params }) {
  if (method === 'initialize') say({ id, result: { capabilities: { textDocumentSync: 1 } } });
  else if (method === 'exit') process.exit();
  else if (method === 'textDocument/didOpen') look(params.textDocument);
  else if (id !== undefined) say({ id, result: null });
}
function look({ uri, text }) {
  if (text.includes('CRASH')) {
    console.error('out of cheese');
    process.exit(3);
  }
  if (text.includes('HANG')) return setInterval(() => say({ method: 'window/logMessage', params: {} }), 20);
  if (text.includes('RIDDLES')) return process.stdout.write('Content-Length: what\\r\\n\\r\\n');
  if (text.includes('FLOOD')) {
    const params = { uri, diagnostics: [], padding: 'x'.repeat(1024 * 1024) };
    const more = () => { say({ method: 'textDocument/publishDiagnostics', params }); setImmediate(more); };
    return more();
  }
  const diagnostics = text.split('\\n').flatMap((words, line) =>
    words.includes('BAD')
      ? [{ range: { start: { line, character: 0 }, end: { line, character: 1 } }, severity: 1, code: 'bad', source: 'small', message: words.trim() + ' is\\nwrong.' }]
      : [],
  );
  diagnostics.push({ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, severity: 4, message: 'a hint' });
  say({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } });
}
`;
