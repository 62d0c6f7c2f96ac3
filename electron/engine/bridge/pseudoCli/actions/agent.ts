import { fail, ok } from '../../../../../shared/result.ts';
import { type Action, params } from '../action.ts';
import { type AgentProfile, agentProfiles } from '../threads.ts';
import { listOf, textOf } from './callTool.ts';
import { runThread } from './thread.ts';

const agent = (action: string, about: string, flags: string, run: Action['run']): Action => ({
  module: 'agent',
  action,
  about,
  params: params(flags),
  run,
});

export const agentActions: readonly Action[] = [
  agent('list', 'The ways in which an agent can work; --type is builtin.', 'type', async (given) => {
    const type = textOf(given, 'type');
    const agents = agentProfiles.filter((one) => type === '' || one.type === type);
    return ok({ agents, count: agents.length });
  }),
  agent('find', 'The agents that fit a task, best first.', 'task* max:number', async (given) => {
    const { max } = given;
    if (max !== undefined && !(typeof max === 'number' && Number.isInteger(max) && max >= 1))
      return fail('VALIDATION_ERROR', '--max must be a whole number from 1');
    const words = wordsOf(textOf(given, 'task'));
    const score = ({ description }: AgentProfile): number => {
      const own = wordsOf(description);
      return words.filter((word) => own.some((other) => other.startsWith(word.slice(0, 5)))).length;
    };
    const agents = agentProfiles
      .map((one) => ({ ...one, score: score(one) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, typeof max === 'number' ? max : agentProfiles.length);
    return ok({ agents, count: agents.length });
  }),
  agent('details', 'What agents are and do; --agents is an array of their ids.', 'agents:json', async (given) => {
    const { agents: wanted } = given;
    if (wanted !== undefined && !Array.isArray(wanted))
      return fail('VALIDATION_ERROR', '--agents must be an array of ids');
    const unknown = listOf(wanted).find((id) => !agentProfiles.some((one) => one.id === id));
    if (unknown !== undefined) return fail('TOOL_EXECUTION_FAILED', `Agent ${JSON.stringify(unknown)} not found`);
    const agents = agentProfiles.filter(({ id }) => wanted === undefined || listOf(wanted).includes(id));
    return ok({ agents, count: agents.length });
  }),
  agent(
    'start',
    'Let an agent work on a task in a session of its own, and wait for the end.',
    'id* task*',
    (given, ports) => runThread(textOf(given, 'task'), textOf(given, 'id'), ports),
  ),
];

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}
