import { fail, ok, type Result } from '../../../../../shared/result.ts';
import { parseJson } from '../../../base/boundedJson.ts';
import { type Action, type ActionPorts, type Params, params } from '../action.ts';
import { calls, callTool, fields } from './callTool.ts';

export const projectActions: readonly Action[] = [
  {
    module: 'project',
    action: 'path',
    about: 'Where the project is.',
    params: [],
    run: (_, ports) => Promise.resolve(ok(ports.root)),
  },
  {
    module: 'project',
    action: 'settings',
    about: 'The kind of project and its commands.',
    params: [],
    run: calls('detect_project'),
  },
  {
    module: 'project',
    action: 'repo-map',
    about: 'The tree of the project.',
    params: params('max-depth:number'),
    run: calls('project_map'),
  },
  {
    module: 'project',
    action: 'run',
    about: 'Start the project in the background, as its own files say how.',
    params: [],
    run: runProject,
  },
  {
    module: 'project',
    action: 'editor-status',
    about: 'Files whose proposed content waits in the review.',
    params: [],
    async run(_, ports) {
      const files = ports.threads().proposed();
      return ok({ files, count: files.length });
    },
  },
];

/** The scripts that start a program, likeliest first. */
const startScripts = ['start', 'dev', 'serve'];

async function runProject(_: Params, ports: ActionPorts): Promise<Result<unknown>> {
  const command = await startCommand(ports);
  if (command === undefined)
    return fail(
      'UNAVAILABLE',
      'The project does not say how it is started (a start, dev or serve script, a Cargo.toml, a go.mod or a manage.py); use terminal exec --command',
    );
  const started = await callTool(ports, 'start_background_task', { command });
  return started.ok ? ok({ command, ...fields(started.value) }) : started;
}

async function startCommand(ports: ActionPorts): Promise<string | undefined> {
  const detected = await callTool(ports, 'detect_project', {});
  const manager = detected.ok ? fields(detected.value)['packageManager'] : undefined;
  const file = await ports.callTool('read_file', { filePath: 'package.json' });
  const manifest = file.success ? parseJson(String(fields(file.data)['content'])) : undefined;
  const scripts = manifest?.ok ? fields(fields(manifest.value)['scripts']) : {};
  const script = startScripts.find((name) => typeof scripts[name] === 'string');
  if (script !== undefined) return `${typeof manager === 'string' ? manager : 'npm'} run ${script}`;
  const has = async (filePath: string): Promise<boolean> =>
    (await ports.callTool('get_file_info', { filePath })).success;
  if (await has('Cargo.toml')) return 'cargo run';
  if (await has('go.mod')) return 'go run .';
  if (await has('manage.py')) return 'python3 manage.py runserver';
  return undefined;
}
