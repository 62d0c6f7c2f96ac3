import { ok } from '../../../../shared/result.ts';
import type { Browser } from '../../browser/browser.ts';
import type { Tool } from '../frame/tool.ts';

/** The same tool, which also says what tabs there are when it is done. */
export function tellingTabs(browser: Pick<Browser, 'tabs'>, tool: Tool): Tool {
  return {
    ...tool,
    async prepare(input, look) {
      const prepared = await tool.prepare(input, look);
      if (!prepared.ok) return prepared;
      const { run, ...planned } = prepared.value;
      return ok({
        ...planned,
        async run(hands, verdict) {
          const done = await run(hands, verdict);
          const tabs = done.ok ? await browser.tabs() : undefined;
          if (tabs?.ok) hands.bring({ tabs: tabs.value });
          return done;
        },
      });
    },
  };
}
