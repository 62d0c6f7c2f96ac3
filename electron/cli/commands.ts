import { dialectNames } from '../../shared/model/dialect.ts';
import { levels } from '../../shared/model/level.ts';
import { modes } from '../../shared/model/phase.ts';
import { backgroundFlags } from './base/background.ts';
import type { Command } from './base/command.ts';
import type { Flag } from './base/flags.ts';

const project: Flag = { name: 'project', value: 'DIR', about: 'the project folder (default: the current one)' };
const json: Flag = { name: 'json', about: 'print JSON on stdout and nothing else' };
const allow: Flag = {
  name: 'allow',
  value: 'LEVEL',
  about: 'what runs without a question: none, moderate, dangerous',
  choices: levels,
};
const rules: Flag = { name: 'rules', value: 'FILE', about: 'a rules file that applies on top' };
const trust: Flag = { name: 'trust-workspace', about: 'trust the project as it is now, for this run' };
const model: readonly Flag[] = [
  { name: 'provider', value: 'NAME', about: 'a provider of the configuration, or "scripted"' },
  { name: 'model', value: 'NAME', about: 'the model to ask' },
  { name: 'script', value: 'FILE', about: 'replies for the scripted provider' },
  { name: 'base-url', value: 'URL', about: 'address of the provider, for this run' },
  {
    name: 'dialect',
    value: 'NAME',
    about: 'the wire format: auto (default), chat, responses, messages',
    choices: ['auto', ...dialectNames],
  },
];
const work: readonly Flag[] = [
  ...model,
  { name: 'effort', value: 'LEVEL', about: 'how much the model thinks, in its own levels (low, high …)' },
  { name: 'max-cost', value: 'USD', about: 'the turn ends when the session has cost so much' },
  { name: 'mode', value: 'MODE', about: 'ask, direct or phased (default)', choices: modes },
  { name: 'resume', value: 'ID', about: 'go on with a session: its id, the beginning of it, or "last"' },
  { name: 'continue', about: 'go on with the newest session of the project' },
];

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: 'open',
    usage: '[DIR]',
    about: 'the workbench on a folder: the desktop window, else a browser',
    flags: [{ name: 'no-open', about: 'do not open a browser' }, ...model],
    words: 1,
    run: async (parsed, io) => (await import('./serve.ts')).runOpen(parsed, io),
  },
  {
    name: 'serve',
    usage: '[DIR]',
    about: 'the workbench behind a loopback address',
    flags: [
      { name: 'port', value: 'N', about: 'the port (default: a free one)' },
      { name: 'no-open', about: 'do not open a browser' },
      ...model,
    ],
    words: 1,
    run: async (parsed, io) => (await import('./serve.ts')).runServe(parsed, io),
  },
  {
    name: 'exec',
    usage: 'TASK',
    about: 'one task without a window; "-" reads the task from standard input',
    flags: [
      project,
      ...work,
      allow,
      rules,
      trust,
      { name: 'answer', value: 'TEXT', about: 'the answer to questions of the agent' },
      ...backgroundFlags,
      json,
    ],
    paints: true,
    run: async (parsed, io) => (await import('./exec.ts')).runExec(parsed, io),
  },
  {
    name: 'chat',
    usage: '',
    about: 'a conversation in the terminal, with slash commands and questions',
    flags: [project, ...work, allow, rules],
    words: 0,
    paints: true,
    run: async (parsed, io) => (await import('./chat/chat.ts')).runChat(parsed, io),
  },
  {
    name: 'tools',
    usage: '',
    about: 'all tools with category, level and input schema',
    flags: [project, trust, json],
    words: 0,
    run: async (parsed, io) => (await import('./tools.ts')).runTools(parsed, io),
  },
  {
    name: 'tool',
    usage: 'NAME',
    about: 'one tool call; prints the result as JSON',
    flags: [
      project,
      { name: 'input', value: 'JSON', about: 'the input object; "-" reads it from standard input' },
      allow,
      rules,
      trust,
      { name: 'answer', value: 'TEXT', about: 'the answer to ask_user' },
      ...backgroundFlags,
      json,
    ],
    run: async (parsed, io) => (await import('./tools.ts')).runTool(parsed, io),
  },
  {
    name: 'call',
    usage: "'codebolt …'",
    about: 'one pseudo-CLI command; "codebolt help" lists them, "-" reads it from standard input',
    flags: [
      project,
      { name: 'parse', about: 'only say how it is understood; nothing is run' },
      allow,
      rules,
      trust,
      { name: 'answer', value: 'TEXT', about: 'the answer to questions' },
      ...backgroundFlags,
      json,
    ],
    run: async (parsed, io) => (await import('./call.ts')).runCall(parsed, io),
  },
  {
    name: 'mcp',
    usage: '',
    about: 'all tools for MCP clients, on standard input and output',
    flags: [project, allow, rules, trust],
    run: async (parsed, io) => (await import('./mcp.ts')).runMcp(parsed, io),
  },
  {
    name: 'acp',
    usage: '',
    about: 'the agent inside an editor (Agent Client Protocol), on standard input and output',
    flags: [...model, allow, rules, trust],
    words: 0,
    run: async (parsed, io) => (await import('./acp/acp.ts')).runAcp(parsed, io),
  },
  {
    name: 'bridge',
    usage: 'list|validate FILE|register BINARY|refresh',
    about: 'specs that turn programs into tools, and the MCP servers in use',
    flags: [
      project,
      trust,
      { name: 'dry-run', about: 'with register: print the spec, write nothing' },
      { name: 'force', about: 'with register: replace a spec of the same name and version' },
      { name: 'deep', about: 'with register: ask each sub-command for its help (by itself up to 40 are asked)' },
      { name: 'no-deep', about: 'with register: ask no sub-command' },
      { name: 'yes', about: 'with register: write what was read from a help without asking' },
      { name: 'from-file', value: 'FILE', about: 'with register: make the spec of this help text and print it' },
      { name: 'name', value: 'NAME', about: 'with --from-file: the name of the program' },
      { name: 'version', value: 'V', about: 'with --from-file: its version' },
      json,
    ],
    run: async (parsed, io) => (await import('./bridge.ts')).runBridge(parsed, io),
  },
  {
    name: 'config',
    usage: '',
    about: 'provider settings; keys are never shown',
    flags: [
      { name: 'show', about: 'print the configuration with secrets masked' },
      { name: 'resolved', about: 'with --show: name the source of each value' },
      project,
      trust,
      { name: 'init-template', about: 'write a template if there is no configuration' },
      { name: 'provider', value: 'NAME', about: 'the provider to set and make active' },
      { name: 'api-key', value: 'KEY', about: 'its key; other programs see it while this one runs' },
      { name: 'api-key-stdin', about: 'its key, read from standard input into a file of yours alone' },
      { name: 'base-url', value: 'URL', about: 'its address' },
      { name: 'model', value: 'NAME', about: 'its model (the model key for Mattermost)' },
      { name: 'models', about: 'what is known of the models of a provider: window, prices, efforts' },
      { name: 'refresh-models', about: 'fetch that knowledge anew from models.dev' },
      { name: 'debug', value: 'on|off', about: 'log requests and answers, secrets masked', choices: ['on', 'off'] },
      json,
    ],
    run: async (parsed, io) => (await import('./config.ts')).runConfig(parsed, io),
  },
  {
    name: 'sessions',
    usage: 'list|show ID|export ID|copy ID|delete ID|reindex|replay ID',
    about: 'the journals of sessions; "copy" makes a new session of what can be read of a damaged one',
    flags: [project, { name: 'format', value: 'FORMAT', about: 'of an export', choices: ['markdown', 'json'] }, json],
    words: 2,
    run: async (parsed, io) => (await import('./sessions.ts')).runSessions(parsed, io),
  },
  {
    name: 'storage',
    usage: '[clean]',
    about: 'what takes room in the state folder, by kind and session; "clean" removes what nothing can reach',
    flags: [json],
    words: 1,
    run: async (parsed, io) => (await import('./storage.ts')).runStorage(parsed, io),
  },
  {
    name: 'inspect',
    usage: 'pseudo|shell|reply|help|spec|output|init|terminal -',
    about: 'what the engine makes of a text; JSON lines in, JSON lines out; runs nothing',
    flags: [json],
    words: 2,
    run: async (parsed, io) => (await import('./inspect.ts')).runInspect(parsed, io),
  },
  {
    name: 'doctor',
    usage: '',
    about: 'what works on this machine and what does not, with the remedy',
    flags: [{ name: 'ask', about: 'also ask the model in use for one word (a few tokens)' }, json],
    words: 0,
    run: async (parsed, io) => (await import('./doctor.ts')).runDoctor(parsed, io),
  },
];
