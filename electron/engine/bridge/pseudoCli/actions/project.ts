import { ok } from '../../../../../shared/result.ts';
import { type Action, params } from '../action.ts';
import { calls } from './callTool.ts';

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
];
