import { itemsOf, timelineLength } from '../../../shared/model/timeline.ts';
import type { ModelClient, ModelRequest } from '../model/base/port.ts';
import type { PromptFile } from '../project/prompts/promptFiles.ts';
import { createHistory } from '../session/history.ts';
import { picturesOf, readPicture } from '../session/pictures.ts';
import { createRequestBuilder } from '../session/requestBuilder.ts';
import type { Session } from '../session/session.ts';
import { createSessionToolsets, type SessionToolsets } from '../session/sessionToolsets.ts';
import { surroundings } from '../session/surroundings.ts';
import { createWorkFolders } from '../session/workFolders.ts';
import type { Toolset } from '../tools/frame/toolset.ts';
import type { OpenedSession } from './openedSession.ts';
import type { SessionModel } from './sessionModel.ts';

/** What the requests of one session are made of: pictures that were read, descriptions that were asked for, its tools. */
export interface SessionRequests {
  /** The next request as it stands now; `client` is the one that is to send it, where it is known. */
  build(opened: OpenedSession, client?: ModelClient): Promise<ModelRequest>;
  /** The session's tools as the model that was asked last is offered them. */
  toolset(opened: OpenedSession): Toolset;
  /** The rules files that count where the session works, as one text. */
  rules(opened: OpenedSession): Promise<string>;
}

export function createSessionRequests(session: Session, model: SessionModel): SessionRequests {
  const folders = createWorkFolders();
  const images = new Map<string, string>();
  const readImages = createImageReader(session, images);
  const described = new Set<string>();
  let toolsets: { readonly of: Toolset; readonly made: SessionToolsets } | undefined;
  let builder: ReturnType<typeof createRequestBuilder> | undefined;
  let asked: ModelClient | undefined;
  let offered: Toolset | undefined;

  /** The way tools are offered can change within a turn: a server refuses native tools, the person changes the model. */
  const toolset: SessionRequests['toolset'] = ({ project }) => {
    if (toolsets?.of !== project.toolset)
      toolsets = {
        of: project.toolset,
        made: createSessionToolsets(project.toolset, () => session.state, described),
      };
    return asked?.protocol?.(model.name()) === 'text' ? toolsets.made.text : toolsets.made.native;
  };
  return {
    toolset,
    async build(opened, client) {
      const { project, contents } = opened;
      if (client) asked = client;
      builder ??= createRequestBuilder({
        history: createHistory({
          resultChars: model.resultChars,
          readImage: (id) => images.get(id),
          textOf: (tool) => offered?.find(tool)?.text,
        }),
        rulesFiles: (state) => project.rulesFiles(folders(state)),
        described: () => described,
        model: model.name,
        effort: model.effort,
        programs: (names) => project.bridge.instructionsFor(names),
        surroundings: () => surroundings(project.path, project.settings().shell.program, new Date()),
        keepsBeginning: () => asked?.keepsBeginning?.(model.name()) === true,
        skills: async () => skillLines(await project.prompts.list()),
      });
      await readImages(contents);
      offered = toolset(opened);
      if (client) opened.lastRead.todos = session.state.facts.todoList;
      return builder(session.state, offered);
    },
    async rules({ project }) {
      const files = await project.rulesFiles(folders(session.state));
      return files.map(({ text }) => text).join('\n');
    },
  };
}

/** More are no help: each request has them. */
const maxSkills = 50;

function skillLines(prompts: readonly PromptFile[]): readonly string[] {
  return prompts
    .filter(({ kind }) => kind === 'skill')
    .slice(0, maxSkills)
    .map(({ name, about }) => `- ${name}: ${about.replaceAll(/\s+/g, ' ')}`);
}

/** Reads pictures of messages and results before the model is to see them; looks only at what is new since it was asked. */
function createImageReader(
  session: Session,
  known: Map<string, string>,
): (contents: OpenedSession['contents']) => Promise<void> {
  let seen = 0;
  return async (contents) => {
    const { items, liveCalls, compacted } = session.state;
    const from = Math.max(seen, compacted?.upTo ?? 0);
    // A call that has not ended may bring some yet.
    seen = Math.min(timelineLength(items), ...Object.values(liveCalls));
    for (const item of itemsOf(items, from))
      for (const { content, mediaType } of picturesOf(item)) {
        if (known.has(content)) continue;
        const read = await readPicture(contents, { content, mediaType });
        if (read) known.set(content, read.data);
      }
  };
}
