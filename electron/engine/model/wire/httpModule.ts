/**
 * `node:http` or `node:https`, loaded when first used and without its ES module facade: making that reads every export,
 * `http.WebSocket` among them, whose getter loads all of undici (10 ms and 3 MB at the first request, Node 24).
 */
export function httpModule(protocol: string): typeof import('node:http') | typeof import('node:https') {
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
}
